import { Type } from '@sinclair/typebox';
import { MAX_LIST_VALUES, MAX_QUERY_CHARACTERS } from '../events/event-filter.js';

const list = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$',
      description:
        `Filters by ${what}. Written \`IS:a,b\` or \`IS_ANY_OF:a,b\`, which mean the same: any of the values. ` +
        'Values are trimmed and compared exactly. Blank values are dropped, and at least one value must remain. ' +
        `At most ${MAX_LIST_VALUES} values.`,
    }),
  );
const day = (which: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS):\\d{4}-\\d{2}-\\d{2}$',
      description: `The ${which} day of the range of creation dates, in UTC, inclusive, written IS:yyyy-MM-dd.`,
    }),
  );
const instant = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      description: `${description} An RFC 3339 date-time with a zone, to the millisecond. A plus sign in a URL is written %2B.`,
    }),
  );

/** The filter parameters of spec 4.2 in the OpenAPI document. */
export const DOCUMENTED_FILTER_SCHEMA = {
  query: Type.Optional(
    Type.String({
      description:
        'Free text: matches a literal part of the JSON text of the event `data`, ignoring case. An empty text includes all events. ' +
        `At most ${MAX_QUERY_CHARACTERS} characters.`,
    }),
  ),
  feature: list('feature name'),
  project: list('project id'),
  type: list('event type'),
  createdBy: list('id of the event creator (whole numbers)'),
  environment: list('environment'),
  id: list('event id (whole numbers)'),
  from: day('first'),
  to: day('last'),
};

/** The filter parameters of the paths under /v1 in the OpenAPI document. */
export const FILTER_SCHEMA = {
  ...DOCUMENTED_FILTER_SCHEMA,
  type: Type.Optional(
    Type.String({
      pattern: '^(IS|IS_ANY_OF|IS_NOT|IS_NONE_OF):.*$',
      description:
        'Filters by event type. IS and IS_ANY_OF mean the same: any of the values, separated by commas. IS_NOT and IS_NONE_OF mean all ' +
        'types but these, and take only types that `EventType` of the GraphQL schema lists. Values are trimmed and compared exactly. ' +
        `Blank values are dropped, and at least one value must remain. At most ${MAX_LIST_VALUES} values.`,
    }),
  ),
  createdByName: list('name of the event creator'),
  since: instant('The first instant of the range of creation times.'),
  until: instant('The end of the range of creation times, which is not part of it.'),
};
