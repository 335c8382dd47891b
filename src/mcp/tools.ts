import { Problems } from '../errors.js';
import { checkEventFilter } from '../events/event-filter.js';
import type { JsonList } from '../formats/json-text.js';
import { AgentCountsDocument, AgentEventsDocument, type EventFilter } from '../generated/graphql/graphql.js';
import { cutName, toEventPage } from './event-page.js';
import {
  ChangesBetweenInput,
  ChangesBetweenOutput,
  type EventGroups,
  type EventPage,
  FlagHistoryInput,
  PageOutput,
  SearchInput,
} from './schemas.js';
import { defineTool, type Tool, type ToolRequest } from './tool.js';

/** The most groups in a result. The events of all other groups are counted together. */
const TOP = 10;

/** The filter of a tool. A field that filters nothing may be left out, or have the value undefined. */
type Filter = { readonly [Field in keyof EventFilter]: EventFilter[Field] | undefined };

interface PageRequest {
  readonly filter: Filter;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const FLAG_HISTORY = defineTool({
  name: 'get_flag_history',
  title: 'History of a feature flag',
  description:
    'Tells who changed one feature flag, when, in which environment, and each value before and after the change. ' +
    'A flag that does not exist has no events.',
  input: FlagHistoryInput,
  output: PageOutput,
  run: ({ flag, since, until, ...page }, request) =>
    readPage({ filter: { features: [flag], since, until }, ...page }, request, { features: 'flag' }),
});

const SEARCH = defineTool({
  name: 'search_events',
  title: 'Search the event log',
  description:
    'Finds events in the log of a feature-flag service: changes to flags, projects, segments, users and tokens, each with the values ' +
    'before and after. The filters are combined with AND, the values of one list with OR. Without a filter, it returns the newest events.',
  input: SearchInput,
  output: PageOutput,
  run: ({ limit, cursor, types: typeNames, ...filter }, request) =>
    readPage({ filter: { ...filter, typeNames }, limit, cursor }, request),
});

const CHANGES_BETWEEN = defineTool({
  name: 'get_changes_between',
  title: 'What changed between two instants',
  description:
    'Tells what changed in a time range: the number of events of each type and of each person, and the events with the values before ' +
    'and after. It answers questions such as what changed before an incident. Without until, the range ends with the newest event.',
  input: ChangesBetweenInput,
  output: ChangesBetweenOutput,
  async run({ limit, cursor, types: typeNames, ...rest }, request) {
    const filter = { ...rest, typeNames };
    const page = await readPage({ filter, limit, cursor }, request);
    return cursor === undefined ? { ...page, ...(await readCounts(filter, request)) } : page;
  },
});

export const TOOLS: readonly Tool[] = [FLAG_HISTORY, SEARCH, CHANGES_BETWEEN];

/** Reads a page. For error messages, `names` maps fields of the filter to arguments of the tool that have another name. */
async function readPage(
  { filter, limit, cursor }: PageRequest,
  { documents, context }: ToolRequest,
  names: Readonly<Record<string, string>> = { typeNames: 'types' },
): Promise<EventPage> {
  const problems = new Problems();
  // The schema of the arguments has checked `since`, `until` and `searchIn`, and no tool sets `types`.
  const { since: _, until: __, types: ___, searchIn: ____, ...checked } = filter;
  checkEventFilter(checked, problems, (field) => names[field] ?? field);
  problems.throwIfAny();
  const variables = { filter: filter as EventFilter, first: limit, after: cursor ?? null };
  return toEventPage((await documents.query(AgentEventsDocument, variables, context)).events);
}

async function readCounts(filter: Filter, { documents, context }: ToolRequest) {
  const variables = { filter: filter as EventFilter, top: TOP };
  const { byType, byPerson } = await documents.query(AgentCountsDocument, variables, context);
  return { byType: toGroups(byType), byPerson: toGroups(byPerson) };
}

function toGroups({ groups, other }: { readonly groups: JsonList; readonly other: number }): EventGroups {
  const all: { key: string; count: number }[] = JSON.parse(groups.text);
  return { groups: all.map(({ key, count }) => ({ key: cutName(key), count })), other };
}
