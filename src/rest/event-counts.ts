import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import {
  COUNT_INTERVALS,
  DEFAULT_TIME_ZONE,
  DEFAULT_TOP,
  EVENT_DIMENSIONS,
  MAX_BUCKETS,
  MAX_CELLS,
  MAX_TOP,
} from '../event-counts/event-counts.js';
import { JsonList } from '../formats/json-text.js';
import { EventCountsDocument, type EventCountsQuery, EventCountsVersionDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import { parseCountsParameters } from './counts-parameters.js';
import { isKnown, setVersion } from './entity-tag.js';
import { errorResponses } from './error-responses.js';
import type { RawParameters } from './filter-parameters.js';
import { FILTER_SCHEMA } from './filter-schema.js';
import { COPY_AGE, ETAG, EventCounts, IF_NONE_MATCH, NOT_MODIFIED, refTo } from './wire-schemas.js';

const schema = {
  operationId: 'countEvents',
  tags: ['Events'],
  summary: 'Count events',
  description: 'Counts the events that match all given criteria: all of them, by time, and by the values of one property.',
  headers: IF_NONE_MATCH,
  querystring: Type.Object({
    ...FILTER_SCHEMA,
    by: Type.Optional(
      Type.String({ enum: [...EVENT_DIMENSIONS], description: 'Counts the events with each value of this property.' }),
    ),
    interval: Type.Optional(
      Type.String({
        enum: [...COUNT_INTERVALS],
        description: `Counts in buckets of this length. At most ${MAX_BUCKETS} buckets, and at most ${MAX_CELLS} rows.`,
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        default: DEFAULT_TIME_ZONE,
        description: 'The time zone of the buckets: a name of the IANA database, such as Europe/Berlin.',
      }),
    ),
    top: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: String(DEFAULT_TOP),
        description: `The number of the largest groups to list, from 1 to ${MAX_TOP}.`,
      }),
    ),
  }),
  response: {
    200: {
      ...refTo(EventCounts),
      description: 'The numbers, all at one moment.',
      headers: { etag: ETAG, [COPY_AGE_HEADER]: COPY_AGE },
    },
    ...NOT_MODIFIED,
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

export function registerEventCounts(app: FastifyInstance, documents: OwnDocuments): void {
  app.get<{ Querystring: RawParameters }>('/v1/events/counts', { schema, config: { readsLog: true } }, async (request, reply) => {
    const { query, context, headers } = request;
    const variables = parseCountsParameters(query);
    if (headers['if-none-match'] !== undefined) {
      const { version } = (await documents.query(EventCountsVersionDocument, { filter: variables.filter }, context)).eventCounts;
      setVersion(reply, version);
      if (isKnown(request, version)) return reply.code(304).send();
    }
    const { version, total, buckets, groups } = (await documents.query(EventCountsDocument, variables, context)).eventCounts;
    setVersion(reply, version);
    const rows = toRows(
      variables.interval ? JSON.parse(buckets.text) : null,
      variables.by ? JSON.parse(groups.text) : null,
      total,
    );
    return { total, rows };
  });
}

type Counts = EventCountsQuery['eventCounts'];

/**
 * Returns one row for each bucket and group. `time` is null without an interval, and `key` without a dimension. Writes the JSON
 * of the rows itself. Thousands of rows share a few values of `time` and `key`, so each value is serialized only once.
 */
function toRows(buckets: Counts['buckets'] | null, groups: Counts['groups'] | null, total: number): JsonList {
  const all = groups ?? [{ key: null, count: total, counts: buckets?.map(({ count }) => count) ?? [] }];
  const keyed = all.map(({ key, count, counts }) => ({ key: `,"key":${JSON.stringify(key)},"count":`, count, counts }));
  if (!buckets) return new JsonList(keyed.map(({ key, count }) => `${toTime(null)}${key}${count}}`));
  // The rows of one bucket are one item of the list, because encoding thousands of short items takes longer.
  const items = buckets.map(({ start }, index) => {
    const time = toTime(start);
    // Concatenating the rows with `+` takes less time than `join`.
    let rows = '';
    for (const { key, counts } of keyed) rows += `${rows === '' ? '' : ','}${time}${key}${counts[index] ?? 0}}`;
    return rows;
  });
  return new JsonList(items.filter((item) => item !== ''));
}

/** Returns the beginning of a row. */
const toTime = (time: string | null) => `{"time":${JSON.stringify(time)}`;
