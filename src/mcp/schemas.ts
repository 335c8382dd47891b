import { z } from 'zod';
import { CHANGE_KINDS } from '../events/changes/change-list.js';
import { CALENDAR_DATE_RULE, DATE_TIME_RULE, isCalendarDate, parseDateTime } from '../formats/date-time.js';

/** The most events of a page. Larger pages would be cut anyway, because a result has a limited length. */
const MAX_EVENTS = 100;
const DEFAULT_EVENTS = 20;

const instant = (which: string) =>
  z
    .string()
    .refine((text) => parseDateTime(text) !== null, DATE_TIME_RULE)
    .describe(`${which}, as an RFC 3339 date-time with a zone, such as 2026-11-23T08:00:00Z.`);
const day = (which: string) =>
  z
    .string()
    .refine(isCalendarDate, CALENDAR_DATE_RULE)
    .optional()
    .describe(`The ${which} day, in UTC, inclusive, written yyyy-MM-dd.`);
const texts = (description: string) => z.array(z.string()).optional().describe(description);
const numbers = (description: string) => z.array(z.int32()).optional().describe(description);

const SINCE = instant('The first instant of the time range');
const UNTIL = instant('The end of the time range, which is not part of it').optional();

const PAGE = {
  limit: z
    .int()
    .min(1)
    .max(MAX_EVENTS)
    .default(DEFAULT_EVENTS)
    .describe('The most events to return. A result can have fewer, because its length is limited.'),
  cursor: z.string().optional().describe('The nextCursor of the previous result, to get the events after it.'),
};

const SCOPE = {
  features: texts('Names of feature flags, exact and case-sensitive.'),
  projects: texts('Ids of projects, exact and case-sensitive.'),
  environments: texts('Names of environments, exact and case-sensitive.'),
  types: texts('Exact event types, such as feature-environment-disabled. Omit it to see which types there are.'),
  createdByNames: texts('Names of the people or tokens that made the change, as in createdBy, exact and case-sensitive.'),
};

export const FlagHistoryInput = z.strictObject({
  flag: z.string().describe('The exact name of the feature flag.'),
  since: SINCE.optional(),
  until: UNTIL,
  ...PAGE,
});

export const SearchInput = z.strictObject({
  query: z.string().optional().describe('A literal text to find in the JSON of the events, ignoring case. It has no wildcards.'),
  searchIn: z
    .array(z.enum(['DATA', 'PRE_DATA', 'TAGS']))
    .optional()
    .describe('The parts that query searches: the new state, the previous state, the tags. By default only DATA.'),
  ...SCOPE,
  createdByUserIds: numbers('Ids of the users who made the change.'),
  ids: numbers('Ids of events.'),
  from: day('first'),
  to: day('last'),
  since: SINCE.optional(),
  until: UNTIL,
  ...PAGE,
});

export const ChangesBetweenInput = z.strictObject({ since: SINCE, until: UNTIL, ...SCOPE, ...PAGE });

const Change = z.object({
  kind: z.enum(CHANGE_KINDS),
  pointer: z.string().describe('The place of the value, as a JSON Pointer.'),
  before: z.string().optional().describe('The value before, as JSON, perhaps cut.'),
  after: z.string().optional().describe('The value after, as JSON, perhaps cut.'),
});

const AgentEvent = z.object({
  id: z.number(),
  createdAt: z.string(),
  type: z.string(),
  createdBy: z.string(),
  environment: z.string().optional(),
  project: z.string().optional(),
  featureName: z.string().optional(),
  changes: z.array(Change).optional().describe('The differences between the states before and after.'),
  moreChanges: z.boolean().optional().describe('True if there are more differences than those listed.'),
  preData: z.string().optional().describe('The state before, as JSON, perhaps cut. Present if the changes are not known.'),
  data: z.string().optional().describe('The state after, as JSON, perhaps cut. Present if the changes are not known.'),
});

export const PageOutput = z.object({
  total: z.number().describe('The number of all events that match, on this page and on others.'),
  events: z.array(AgentEvent).describe('The events of the page, newest first.'),
  nextCursor: z.string().optional().describe('Present if there are older events. Pass it as cursor to get them.'),
  copyCompleteAt: z
    .string()
    .optional()
    .describe('Present if the log is an old copy: the time up to which it is complete, or never.'),
});

const Groups = z.object({
  groups: z.array(z.object({ key: z.string(), count: z.number() })).describe('The largest groups.'),
  other: z.number().describe('The number of events in other groups.'),
});

export const ChangesBetweenOutput = PageOutput.extend({
  byType: Groups.optional().describe('The number of events of each type. Only on the first page.'),
  byPerson: Groups.optional().describe('The number of events of each person or token. Only on the first page.'),
});

export type Change = z.output<typeof Change>;
export type AgentEvent = z.output<typeof AgentEvent>;
export type EventPage = z.output<typeof PageOutput>;
export type EventGroups = z.output<typeof Groups>;
export type ChangesPage = z.output<typeof ChangesBetweenOutput>;
