import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import type { TextSample } from './selective-part.js';

/** Selects the texts of up to 200 events, each cut after 2,000 characters, and whether `events` has a trigram index. */
const SAMPLE = Prisma.sql`
  SELECT coalesce(array_agg(left(data::text, 2000)) FILTER (WHERE data IS NOT NULL), '{}') AS data,
    coalesce(array_agg(left(pre_data::text, 2000)) FILTER (WHERE pre_data IS NOT NULL), '{}') AS "preData",
    coalesce(array_agg(left(tags::text, 2000)) FILTER (WHERE tags IS NOT NULL), '{}') AS tags,
    EXISTS (
      SELECT FROM pg_index JOIN pg_opclass ON pg_opclass.oid = ANY(indclass::oid[])
      WHERE indrelid = to_regclass('events') AND indisvalid AND opcname = 'gin_trgm_ops') AS "isIndexed"
  FROM events
  WHERE id = ANY(ARRAY(
    SELECT (lowest + (highest::bigint - lowest) * n / 199)::int
    FROM (SELECT min(id) AS lowest, max(id) AS highest FROM events) AS log, generate_series(0, 199) AS n
  ))`;

/** Reads texts of events across the log. They show which character sequences are frequent. */
export async function readTextSample(read: Read): Promise<TextSample> {
  const [sample] = await read<TextSample>(SAMPLE);
  return sample ?? { data: [], preData: [], tags: [], isIndexed: false };
}
