import { Problems } from '../errors.js';
import type { InTurn } from '../limits/in-turn.js';
import { type EpochCount, toVersion } from '../log-version/version.js';
import type { SelectedFields } from '../request-context.js';
import type { Event, EventCriteria } from './event.js';
import { needsPage, readConnection } from './event-connection.js';
import { costOfRows } from './event-cost.js';
import { checkEventFilter, type EventFilterInput, parseEventFilter } from './event-filter.js';
import type { EventLogs } from './event-log.js';
import { type ConnectionArgs, checkOffsetPage, type ExportArgs, MAX_LIMIT, type OffsetPage, parseWindow } from './event-page.js';
import { readExportPage } from './export-page.js';
import { MAX_PAGE_CHARACTERS } from './large-pages.js';
import { type ChargeReads, type Context, createLogReader, type OpenLog } from './log-reader.js';
import { restrict } from './restrict.js';
import { selectedEventFields } from './selected-event-fields.js';
import { createSettleExport } from './settle-export.js';
import { createSharedCount } from './shared-count.js';

export type EventService = ReturnType<typeof createEventService>;

/** The prefix of the paths of event fields in a list. */
const IN_LIST = ['events.'];

/** The prefix of the paths of event fields if the result is one event. */
const ALONE = [''];

/** Reads the event log (spec 4.1 and 4.2). Lists are newest first, and the higher id first for equal times. Exports are by id. */
export function createEventService({ primary, chooseLog }: EventLogs, charge: ChargeReads, inTurn: InTurn) {
  const { readInTurn, searchInTurn } = createLogReader(chooseLog, charge, inTurn);
  const countAll = createSharedCount(chooseLog, inTurn);
  const settle = createSettleExport(primary);
  return {
    /** Spec 4.1: returns all events of the flag with exactly this name, and none if there is no such flag. */
    async listFeatureEvents(context: Context, featureName: string, selected: SelectedFields) {
      const problems = new Problems();
      checkEventFilter({ features: [featureName] }, problems, () => 'featureName');
      const criteria = restrict(context.caller, { featureNames: [featureName] }, problems);
      const list = { version: 1, toggleName: featureName } as const;
      if (selected.has('events'))
        return readInTurn(context, true, async (log) => {
          const events = await readAll(log, criteria, selected, context, charge);
          return { ...list, events, totalEvents: events.length };
        });
      if (!selected.has('totalEvents')) return list;
      return readInTurn(context, false, async ({ totals }) => ({ ...list, totalEvents: (await totals.count(criteria)).count }));
    },

    /** Spec 4.2: returns one page of the events that match, the total, and their version, all as of one moment. */
    async searchEvents(context: Context, filter: EventFilterInput, page: OffsetPage, selected: SelectedFields) {
      const problems = new Problems();
      checkOffsetPage(page, problems);
      const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
      const needsEvents = selected.has('events');
      const needsCount = selected.has('total') || selected.has('version');
      if (!needsEvents && !needsCount) return {};
      return searchInTurn(context, criteria, needsEvents ? page : null, async (log) => {
        const { events, counted } = await readSearchPage(log, criteria, page, selected, needsCount);
        await log.addEvents(events ?? [], selected, IN_LIST);
        const version = counted && selected.has('version') ? toVersion(counted, context.caller.projects) : undefined;
        return { events, total: counted?.count, version };
      });
    },

    /** Returns the events that match as a Relay connection. Its pages stay in place while events are added. */
    async connectEvents(context: Context, filter: EventFilterInput, args: ConnectionArgs, selected: SelectedFields) {
      const problems = new Problems();
      const window = parseWindow(args, problems);
      const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
      const isListed = needsPage(selected);
      if (!isListed && !selected.has('totalCount')) return {};
      const pageSize = isListed ? { offset: 0, limit: window.size } : null;
      return searchInTurn(context, criteria, pageSize, (log) => readConnection(log, criteria, window, selected));
    },

    /** Returns a page of matching events by id, up to an id at which the log is complete (log-version/settle-log.ts). */
    exportEvents: (context: Context, filter: EventFilterInput, args: ExportArgs, selected: SelectedFields) =>
      readExportPage({ settle, readInTurn, charge }, context, { filter, ...args }, selected),

    /** Returns the version of the whole log for this caller. While it stays the same, every response from the log does too. */
    async readVersion(context: Context): Promise<string> {
      return toVersion(await countAll(context), context.caller.projects);
    },

    /** Counts the whole log for the operator, with the events of all projects. */
    async countEvents(signal: AbortSignal): Promise<number> {
      return (await (await chooseLog()).totals.withSignal(signal).count({})).count;
    },

    /** Returns one event, or null if the caller may not see an event with that id. */
    async findEvent(context: Context, id: number, selected: SelectedFields): Promise<Event | null> {
      const criteria = restrict(context.caller, {}, new Problems());
      return readInTurn(context, false, async (log) => {
        const event = await log.reads.find(id, criteria);
        await log.addEvents(event ? [event] : [], selected, ALONE);
        return event;
      });
    },
  };
}

/** Reads all events that match, page by page. Fails if they are more than one response can hold. */
async function readAll(
  { reads, addEvents, giveWay }: OpenLog,
  criteria: EventCriteria,
  selected: SelectedFields,
  context: Context,
  charge: ChargeReads,
): Promise<Event[]> {
  const fields = selectedEventFields(selected, IN_LIST);
  const size = { weights: null, maxCharacters: MAX_PAGE_CHARACTERS };
  const events: Event[] = [];
  for (;;) {
    const after = events.at(-1) ?? null;
    const window = { after, before: null, from: 'newest', size: MAX_LIMIT } as const;
    const { events: page, isCut } = await reads.list(criteria, window, { fields, size });
    await addEvents(page, selected, IN_LIST, events.length === 0);
    events.push(...page);
    // The cost of the operation includes the first page. Each later page is charged here, before the next page is read.
    if (events.length > page.length) await charge(context, costOfRows({ returned: page.length }), 'before');
    if (!isCut && page.length < MAX_LIMIT) return events;
    await giveWay();
  }
}

/** Reads the events of a page, or counts all events that match, or both at one moment. */
async function readSearchPage(
  { reads, totals }: OpenLog,
  criteria: EventCriteria,
  page: OffsetPage,
  selected: SelectedFields,
  needsCount: boolean,
): Promise<{ readonly events?: readonly Event[]; readonly counted?: EpochCount }> {
  const fields = selectedEventFields(selected, IN_LIST);
  if (!needsCount) return { events: (await reads.list(criteria, page, { fields })).events };
  if (!selected.has('events')) return { counted: await totals.count(criteria) };
  const counted = await totals.countAndList(criteria, page, { fields });
  return { events: counted.events, counted };
}
