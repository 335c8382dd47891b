import { Type } from '@sinclair/typebox';
import { MAX_LIST_VALUES, MAX_QUERY_CHARACTERS } from '../events/event-filter.js';

const list = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$',
      description:
        `Filters by ${what}. The operators IS and IS_ANY_OF mean the same: any of the values, separated by commas. ` +
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

/** The query parameters that select events, for the document. search-parameters.ts parses them. */
export const FILTER_PARAMETERS = {
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
