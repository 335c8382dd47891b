import { expect } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { WireEvent } from './recorded-log.js';

const COLUMNS = 'id,createdAt,type,createdBy,createdByUserId,environment,project,featureName,tags,data,preData'.split(',');

/** Reads a file as RFC 4180 has it, strictly. An empty cell without quotes is null. */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...records] = parse(text, {
    recordDelimiter: '\r\n',
    relaxColumnCount: false,
    relaxQuotes: false,
    bom: false,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  }) as (string | null)[][];
  expect(header).toEqual(COLUMNS);
  return records.map((cells) => Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index] ?? null])));
}

/** Converts a record with `formulas=keep` to the event in wire form. */
export function toWireEvent(record: Record<string, string | null>): WireEvent {
  const { id, createdByUserId, tags, data, preData, ...texts } = record;
  const json = (text: string | null | undefined) => (text == null ? null : JSON.parse(text));
  return {
    ...texts,
    id: Number(id),
    createdByUserId: createdByUserId == null ? null : Number(createdByUserId),
    tags: json(tags),
    data: json(data),
    preData: json(preData),
  } as WireEvent;
}
