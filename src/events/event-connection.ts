import type { SelectedFields } from '../request-context.js';
import type { Event, EventCriteria, EventPosition } from './event.js';
import { type EventSlice, type EventWindow, toCursor } from './event-page.js';
import { readFitting } from './large-pages.js';
import type { OpenLog } from './log-reader.js';
import { rejectLargePage, weighFields } from './response-size.js';
import { selectedEventFields } from './selected-event-fields.js';

/** The fields of a connection that need its page. */
const PAGE_FIELDS = ['nodes', 'edges', 'pageInfo'];

/** The prefixes of the paths of event fields in a connection. */
const PREFIXES = ['nodes.', 'edges.node.'];

/** Whether the fields that a request selects in a connection need its page. */
export function needsPage(selected: SelectedFields): boolean {
  return PAGE_FIELDS.some((field) => selected.has(field));
}

/** Reads the selected fields of a connection. Its page and its total are of the same moment. */
export async function readConnection(log: OpenLog, criteria: EventCriteria, window: EventWindow, selected: SelectedFields) {
  if (!needsPage(selected)) return { totalCount: (await log.totals.count(criteria)).count };
  // One event beyond the page is read. It shows whether another page follows in the same direction.
  const {
    page: { read, total },
    size,
  } = await readFitting(window.size + 1, (most) => readPage(log, criteria, { ...window, size: most }, selected), log.giveWay);
  const isShort = size <= window.size;
  const page = await toPage(log, criteria, isShort ? { ...window, size } : window, selected, read, isShort);
  await log.addEvents(page.nodes, selected, PREFIXES);
  const edges = selected.has('edges') ? page.nodes.map((node) => ({ cursor: toCursor(node), node })) : undefined;
  return { ...page, edges, totalCount: total };
}

/** Reads the events of a page and, if it is selected, the total at the same moment. */
async function readPage({ reads, totals }: OpenLog, criteria: EventCriteria, window: EventWindow, selected: SelectedFields) {
  const { from, after, before, size } = window;
  const isFirst = from === 'newest' && !after && !before;
  const slice: EventSlice = isFirst ? { offset: 0, limit: size } : window;
  const fields = selectedEventFields(selected, PREFIXES);
  const found = selected.has('totalCount')
    ? await totals.countAndList(criteria, slice, fields)
    : { events: await reads.list(criteria, slice, fields), count: undefined };
  const inOrder = from === 'newest' ? found.events : found.events.toReversed();
  rejectLargePage(inOrder, weighFields(selected, PREFIXES));
  return { read: found.events, total: found.count };
}

async function toPage(
  { reads }: OpenLog,
  criteria: EventCriteria,
  { from, size, after, before }: EventWindow,
  selected: SelectedFields,
  read: readonly Event[],
  isShort: boolean,
) {
  const hasMore = isShort || read.length > size;
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
