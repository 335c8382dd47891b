import type { Read } from '../read.js';
import { EVENT_INDEXES, type EventIndex } from './event-indexes.js';

/** The size of a B-tree entry without its first column: a pointer, a header, a time and an id. */
const ENTRY_BYTES = 28;
/** The share of an index page that entries fill. */
const FILL = 0.9;

/** The size of a trigram index relative to the text of its column, as measured in the benchmark's log of a million events. */
const TRIGRAM_SHARE = 1.3;

/** Estimates index sizes from PostgreSQL's estimate of the number of rows, and from the widths of the newest 1,000 events. */
export async function createSizeEstimate(read: Read): Promise<(index: EventIndex) => number> {
  const columns = EVENT_INDEXES.flatMap(({ column }) => column ?? []);
  const averages = columns
    .map((column) => `coalesce(avg(coalesce(octet_length(${column}::text), 0)), 0)::float8 AS ${column}`)
    .join(', ');
  const [row = {}] = await read<Record<string, number>>({
    text: `
      SELECT (SELECT CASE WHEN reltuples >= 0 THEN reltuples ELSE (SELECT max(id) FROM events) END::float8 FROM pg_class WHERE oid = 'events'::regclass) AS rows, ${averages}
      FROM (SELECT ${columns.join(', ')} FROM events ORDER BY id DESC LIMIT 1000) AS newest`,
    values: [],
  });
  const rows = row['rows'] ?? 0;
  return ({ column, definition }) => {
    const width = column === null ? 0 : (row[column] ?? 0);
    const bytes = definition.startsWith('gin') ? width * TRIGRAM_SHARE : (ENTRY_BYTES + width) / FILL;
    return Math.round(rows * bytes);
  };
}
