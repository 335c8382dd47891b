import { Problems } from '../errors.js';
import type { GiveWay, InTurn } from '../limits/fair-queue.js';
import { type EpochCount, toVersion } from '../log-version/version.js';
import type { Event, EventCriteria, EventPosition } from './event.js';
import { costOfRows } from './event-cost.js';
import { readExport } from './event-export.js';
import { checkEventFilter, type EventFilterInput, parseEventFilter } from './event-filter.js';
import type { ChooseLog } from './event-log.js';
import {
  type ConnectionArgs,
  checkOffsetPage,
  type EventSlice,
  type EventWindow,
  type ExportArgs,
  MAX_LIMIT,
  type OffsetPage,
  parseWindow,
  toCursor,
} from './event-page.js';
import { addToLists } from './list-size.js';
import { type ChargeReads, type Context, createLogReader, type OpenLog } from './log-reader.js';
import { restrict } from './restrict.js';
import { selectedEventFields } from './selected-event-fields.js';

export type EventService = ReturnType<typeof createEventService>;

/** The fields that the request selects in the result, see `selectedFields`. The others are left out, and what they need is not read. */
type Selected = ReadonlySet<string>;

/** The fields of a connection that need its page. */
const PAGE_FIELDS = ['nodes', 'edges', 'pageInfo'];

/** The places where a connection has the changes of its events. */
const CONNECTED_CHANGES = ['nodes.changes', 'edges.node.changes'];

/** Reads the event log (spec 4.1 and 4.2). Every list is ordered by the time of creation, newest first, then by id. */
export function createEventService(chooseLog: ChooseLog, charge: ChargeReads, inTurn: InTurn) {
  const reader = createLogReader(chooseLog, charge, inTurn);
  const { readInTurn, searchInTurn, countAllInTurn } = reader;
  return {
    /** Spec 4.1: returns all events of the flag with exactly this name, and none if there is no such flag. */
    async listFeatureEvents(context: Context, featureName: string, selected: Selected) {
      const problems = new Problems();
      checkEventFilter({ features: [featureName] }, problems, () => 'featureName');
      const criteria = restrict(context.caller, { featureNames: [featureName] }, problems);
      const list = { version: 1, toggleName: featureName } as const;
      if (selected.has('events'))
        return readInTurn(context, true, async (log, giveWay) => {
          const events = await readAll(log, criteria, selected, context, charge, giveWay);
          return { ...list, events, totalEvents: events.length };
        });
      if (!selected.has('totalEvents')) return list;
      return readInTurn(context, false, async ({ totals }) => ({ ...list, totalEvents: (await totals.count(criteria)).count }));
    },

    /** Spec 4.2: returns one page of the events that match, how many match in all, and their version, all at one moment. */
    async searchEvents(context: Context, filter: EventFilterInput, page: OffsetPage, selected: Selected) {
      const problems = new Problems();
      checkOffsetPage(page, problems);
      const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
      const needsEvents = selected.has('events');
      const needsCount = selected.has('total') || selected.has('version');
      if (!needsEvents && !needsCount) return {};
      return searchInTurn(context, criteria, needsEvents ? page : null, async (log) => {
        const { events, counted } = await readSearchPage(log, criteria, page, selected, needsCount);
        if (events && selected.has('events.changes')) await log.compare(events);
        const version = counted && selected.has('version') ? toVersion(counted, context.caller.projects) : undefined;
        return { events, total: counted?.count, version };
      });
    },

    /** Returns the same events as a Relay connection, whose pages stay in place while events are added. */
    async connectEvents(context: Context, filter: EventFilterInput, args: ConnectionArgs, selected: Selected) {
      const problems = new Problems();
      const window = parseWindow(args, problems);
      const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
      const needsPage = PAGE_FIELDS.some((field) => selected.has(field));
      if (!needsPage && !selected.has('totalCount')) return {};
      const pageSize = needsPage ? { offset: 0, limit: window.size } : null;
      const readPage = (log: OpenLog) => readConnection(log, criteria, window, selected, needsPage);
      return searchInTurn(context, criteria, pageSize, readPage);
    },

    /** Returns a page of the events that match in the order of their ids, up to an id at which the log is complete. */
    exportEvents: (context: Context, filter: EventFilterInput, args: ExportArgs, selected: Selected) =>
      readExport(reader, charge, context, { filter, ...args }, selected),

    /** Returns the version of the whole log for this caller. While it stays the same, every response from the log does too. */
    async readVersion(context: Context): Promise<string> {
      return toVersion(await countAllInTurn(context), context.caller.projects);
    },

    /** Counts the whole log for the operator, whatever a caller may see. */
    async countEvents(signal: AbortSignal): Promise<number> {
      return (await (await chooseLog()).totals.withSignal(signal).count({})).count;
    },

    /** Returns one event, or null if the caller may not see an event with that id. */
    async findEvent(context: Context, id: number, selected: Selected): Promise<Event | null> {
      const criteria = restrict(context.caller, {}, new Problems());
      return readInTurn(context, false, async ({ reads, compare }) => {
        const event = await reads.find(id, criteria);
        if (event && selected.has('changes')) await compare([event]);
        return event;
      });
    },
  };
}

/** Reads all events that match, page by page, up to what one response can hold. */
async function readAll(
  { reads, compare }: OpenLog,
  criteria: EventCriteria,
  selected: Selected,
  context: Context,
  charge: ChargeReads,
  giveWay: GiveWay,
): Promise<Event[]> {
  const fields = selectedEventFields(selected, 'events');
  const events: Event[] = [];
  for (;;) {
    const after = events.at(-1) ?? null;
    const page = await reads.list(criteria, { after, before: null, from: 'newest', size: MAX_LIMIT }, fields);
    addToLists(context, page);
    if (selected.has('events.changes')) await compare(page, events.length === 0);
    events.push(...page);
    // The cost of the operation includes the first page. The next page is read only if the budget suffices for this one.
    if (events.length > page.length) await charge(context, costOfRows({ returned: page.length }), 'before');
    if (page.length < MAX_LIMIT) return events;
    await giveWay();
  }
}

/** Reads the events of a page, or counts all events that match, or both at one moment. */
async function readSearchPage(
  { reads, totals }: OpenLog,
  criteria: EventCriteria,
  page: OffsetPage,
  selected: Selected,
  needsCount: boolean,
): Promise<{ readonly events?: readonly Event[]; readonly counted?: EpochCount }> {
  const fields = selectedEventFields(selected, 'events');
  if (!needsCount) return { events: await reads.list(criteria, page, fields) };
  if (!selected.has('events')) return { counted: await totals.count(criteria) };
  const counted = await totals.countAndList(criteria, page, fields);
  return { events: counted.events, counted };
}

async function readConnection(
  log: OpenLog,
  criteria: EventCriteria,
  window: EventWindow,
  selected: Selected,
  needsPage: boolean,
) {
  if (!needsPage) return { totalCount: (await log.totals.count(criteria)).count };
  const { read, total } = await readPage(log, criteria, window, selected);
  const page = await toPage(log, criteria, window, selected, read);
  if (CONNECTED_CHANGES.some((field) => selected.has(field))) await log.compare(page.nodes);
  const edges = selected.has('edges') ? page.nodes.map((node) => ({ cursor: toCursor(node), node })) : undefined;
  return { ...page, edges, totalCount: total };
}

/** Reads one event more than the page holds, which shows whether another page follows in that direction, and the total at the same moment. */
async function readPage({ reads, totals }: OpenLog, criteria: EventCriteria, window: EventWindow, selected: Selected) {
  const { from, after, before } = window;
  const size = window.size + 1;
  const isFirst = from === 'newest' && !after && !before;
  const slice: EventSlice = isFirst ? { offset: 0, limit: size } : { ...window, size };
  const fields = selectedEventFields(selected, 'nodes', 'edges.node');
  if (!selected.has('totalCount')) return { read: await reads.list(criteria, slice, fields) };
  const { events, count } = await totals.countAndList(criteria, slice, fields);
  return { read: events, total: count };
}

async function toPage(
  { reads }: OpenLog,
  criteria: EventCriteria,
  { from, size, after, before }: EventWindow,
  selected: Selected,
  read: readonly Event[],
) {
  const hasMore = read.length > size;
  const nodes = from === 'newest' ? read.slice(0, size) : read.slice(Math.max(0, read.length - size));
  const existsFrom = async (field: string, position: EventPosition | null, direction: 'newer' | 'older') =>
    position !== null && selected.has(field) && reads.existsFrom(criteria, position, direction);
  const [first, last] = [nodes[0], nodes.at(-1)];
  const pageInfo = {
    startCursor: first ? toCursor(first) : null,
    endCursor: last ? toCursor(last) : null,
    hasNextPage: from === 'newest' ? hasMore : await existsFrom('pageInfo.hasNextPage', before, 'older'),
    hasPreviousPage: from === 'oldest' ? hasMore : await existsFrom('pageInfo.hasPreviousPage', after, 'newer'),
  };
  return { nodes, pageInfo };
}
