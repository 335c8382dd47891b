import type { SelectedFields } from '../request-context.js';
import type { EventCriteria, EventPosition } from './event.js';
import { type EventSlice, type EventWindow, toCursor } from './event-page.js';
import type { CutEvents } from './large-pages.js';
import type { OpenLog } from './log-reader.js';
import { weighFields } from './response-size.js';
import { selectedEventFields } from './selected-event-fields.js';

/** The fields of a connection that need its page. */
const PAGE_FIELDS = ['nodes', 'edges', 'pageInfo'];

/** The prefixes of the paths of event fields in a connection. */
const PREFIXES = ['nodes.', 'edges.node.'];

/** Whether the fields that a request selects in a connection need its page. */
export function needsPage(selected: SelectedFields): boolean {
  return PAGE_FIELDS.some((field) => selected.has(field));
}

/** Reads the selected fields of a connection. Its page and its total are read at the same moment. */
export async function readConnection(log: OpenLog, criteria: EventCriteria, window: EventWindow, selected: SelectedFields) {
  if (!needsPage(selected)) return { totalCount: (await log.totals.count(criteria)).count };
  // One event beyond the page is read. It shows whether another page follows in the same direction.
  const { count, ...read } = await readPage(log, criteria, { ...window, size: window.size + 1 }, selected);
  const page = await toPage(log, criteria, window, selected, read);
  await log.addEvents(page.nodes, selected, PREFIXES);
  const edges = selected.has('edges') ? page.nodes.map((node) => ({ cursor: toCursor(node), node })) : undefined;
  return { ...page, edges, totalCount: count };
}

/** Reads the events of a page, and also the total at the same moment if the request selects it. */
async function readPage(
  { reads, totals }: OpenLog,
  criteria: EventCriteria,
  window: EventWindow,
  selected: SelectedFields,
): Promise<CutEvents & { readonly count?: number }> {
  const { from, after, before, size } = window;
  const isFirst = from === 'newest' && !after && !before;
  const slice: EventSlice = isFirst ? { offset: 0, limit: size } : window;
  const selection = { fields: selectedEventFields(selected, PREFIXES), size: { weights: weighFields(selected, PREFIXES) } };
  return selected.has('totalCount') ? totals.countAndList(criteria, slice, selection) : reads.list(criteria, slice, selection);
}

async function toPage(
  { reads }: OpenLog,
  criteria: EventCriteria,
  { from, size, after, before }: EventWindow,
  selected: SelectedFields,
  { events, isCut }: CutEvents,
) {
  const hasMore = isCut || events.length > size;
  const nodes = from === 'newest' ? events.slice(0, size) : events.slice(Math.max(0, events.length - size));
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
