/** An operation that GraphiQL opens in a tab at the first visit. The tab has the name of the operation. */
export interface Example {
  readonly query: string;
  readonly variables?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const NEWEST_EVENTS = `# The newest events, page by page. The next page:
# events(first: 10, after: "<endCursor>")
query NewestEvents {
  events(first: 10) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      createdAt
      type
      createdBy
      project
      environment
      featureName
    }
  }
}
`;

const FLAG_HISTORY = `# The history of one flag, newest event first.
# changes says what each event changed.
query FlagHistory($featureName: String!) {
  featureEvents(featureName: $featureName) {
    toggleName
    totalEvents
    events {
      createdAt
      type
      createdBy
      environment
      data
      changes {
        complete
        items {
          kind
          path
          before
          after
        }
      }
      tags {
        type
        value
      }
    }
  }
}
`;

const SEARCH_EVENTS = `# All fields of a filter must match; in a list, any
# value is enough. from and to are days in UTC.
query SearchEvents($filter: EventFilter) {
  events(filter: $filter, first: 20) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      createdAt
      type
      createdBy
      featureName
      data
      preData
    }
  }
}
`;

const LIVE_EVENTS = `# New events as they are added, until you stop the
# subscription. To miss none after a break, pass the
# last cursor as after.
subscription LiveEvents {
  eventFeed(after: "now") {
    events {
      id
      createdAt
      type
      createdBy
      project
      featureName
    }
    cursor
    upToDate
  }
}
`;

const CREATE_INVITE_LINK = `# Needs a token with the ADMIN role. Until the link
# expires, anyone with its url can sign up as a Viewer.
mutation CreateInviteLink($input: PublicSignupTokenCreateInput!) {
  createPublicSignupToken(input: $input) {
    name
    url
    secret
    enabled
    expiresAt
    role {
      name
    }
  }
}
`;

/**
 * Returns one operation for each common task. Dates are relative to `now`, so that the search finds recent events and the invite
 * link has not expired.
 */
export function createExamples(now: Date): Example[] {
  return [
    { query: NEWEST_EVENTS },
    { query: FLAG_HISTORY, variables: toText({ featureName: 'checkout' }) },
    {
      query: SEARCH_EVENTS,
      variables: toText({
        filter: {
          query: 'rollout',
          types: ['FEATURE_STRATEGY_ADD', 'FEATURE_STRATEGY_UPDATE'],
          environments: ['production'],
          from: toDay(now, -30),
          to: toDay(now, 0),
        },
      }),
    },
    { query: LIVE_EVENTS },
    {
      query: CREATE_INVITE_LINK,
      variables: toText({ input: { name: 'New colleagues', expiresAt: `${toDay(now, 7)}T00:00:00Z` } }),
    },
  ];
}

function toDay(now: Date, offsetDays: number): string {
  return new Date(now.getTime() + offsetDays * DAY_MS).toISOString().slice(0, 10);
}

function toText(variables: object): string {
  return JSON.stringify(variables, null, 2);
}
