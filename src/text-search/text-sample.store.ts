import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import type { TextSample } from './selective-part.js';

/** The texts of up to two hundred events, cut where they are long. */
const SAMPLE = Prisma.sql`
  SELECT coalesce(array_agg(left(data::text, 2000)) FILTER (WHERE data IS NOT NULL), '{}') AS data,
    coalesce(array_agg(left(pre_data::text, 2000)) FILTER (WHERE pre_data IS NOT NULL), '{}') AS "preData",
    coalesce(array_agg(left(tags::text, 2000)) FILTER (WHERE tags IS NOT NULL), '{}') AS tags
  FROM events
  WHERE id = ANY(ARRAY(
    SELECT (lowest + (highest - lowest)::bigint * n / 199)::int
    FROM (SELECT min(id) AS lowest, max(id) AS highest FROM events) AS log, generate_series(0, 199) AS n
  ))`;

/** By which is told what is frequent in the texts of the log. */
export async function readTextSample(read: Read): Promise<TextSample> {
  const [sample] = await read<TextSample>(SAMPLE);
  return sample ?? { data: [], preData: [], tags: [] };
}
