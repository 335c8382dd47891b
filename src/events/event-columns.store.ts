import { timeToText } from '../database/time-to-text.js';
import type { EventRow } from './event.js';

interface Column {
  readonly column: string;
  readonly type: 'int' | 'text' | 'timestamptz' | 'json' | 'jsonb';
}

/** The columns of `events`, by field. Reading, importing and checking the database of an Unleash server all use this one list. */
export const EVENT_COLUMNS = {
  id: { column: 'id', type: 'int' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  type: { column: 'type', type: 'text' },
  createdBy: { column: 'created_by', type: 'text' },
  createdByUserId: { column: 'created_by_user_id', type: 'int' },
  environment: { column: 'environment', type: 'text' },
  project: { column: 'project', type: 'text' },
  featureName: { column: 'feature_name', type: 'text' },
  data: { column: 'data', type: 'json' },
  preData: { column: 'pre_data', type: 'jsonb' },
  tags: { column: 'tags', type: 'json' },
} as const satisfies Record<keyof EventRow, Column>;

export const EVENT_FIELDS = Object.keys(EVENT_COLUMNS) as readonly (keyof EventRow)[];

export const EVENT_COLUMN_NAMES: readonly string[] = EVENT_FIELDS.map((field) => EVENT_COLUMNS[field].column);

/**
 * Returns the SQL select list of an `EventRow`. JSON and times are selected as text, because parsing them costs more than finding the row.
 * Times outside the years 0001 to 9999 are in PostgreSQL's own form, which formats/stored-time.ts explains.
 * @param fraction the seconds of `createdAt`: `US` for the microseconds that PostgreSQL stores, `MS` for the milliseconds of the wire format
 */
export function selectList(fraction: 'US' | 'MS'): string {
  return EVENT_FIELDS.map((field) => `${toText(EVENT_COLUMNS[field], fraction)} AS "${field}"`).join(', ');
}

function toText({ column, type }: Column, fraction: 'US' | 'MS'): string {
  if (type === 'timestamptz') return timeToText(column, fraction);
  return type === 'json' || type === 'jsonb' ? `${column}::text` : column;
}
