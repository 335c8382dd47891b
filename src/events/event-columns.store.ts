import { timeToText } from '../database/time-to-text.js';
import { EVENT_FIELDS, type EventField, type EventRow } from './event.js';

interface Column {
  readonly column: string;
  readonly type: 'int' | 'text' | 'timestamptz' | 'json' | 'jsonb';
}

/** The columns of `events`, by field. Reads, imports and the check of an Unleash server's database all use this one list. */
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

export const EVENT_COLUMN_NAMES: readonly string[] = EVENT_FIELDS.map((field) => EVENT_COLUMNS[field].column);

/** The possible numbers of columns that a list reads, from the first column on. Few numbers mean few prepared statements. */
const WIDTHS = (['type', 'createdByUserId', 'data', 'tags'] as const).map((last) => EVENT_FIELDS.indexOf(last) + 1);

/** The first `width` columns of `EVENT_COLUMN_NAMES`, which a list reads. */
export interface EventSelection {
  readonly width: number;
  /** The SQL select list. */
  readonly list: string;
}

const SELECTIONS: readonly EventSelection[] = WIDTHS.map((width) => ({
  width,
  list: EVENT_COLUMN_NAMES.slice(0, width).join(', '),
}));

const selections = new WeakMap<readonly EventField[], EventSelection>();

/** Returns the smallest selection with these fields; by default with all fields. It always includes the position of the event. */
export function selectFor(fields: readonly EventField[] = EVENT_FIELDS): EventSelection {
  const selection = selections.get(fields) ?? findSelection(fields);
  selections.set(fields, selection);
  return selection;
}

function findSelection(fields: readonly EventField[]): EventSelection {
  const needed = Math.max(0, ...fields.map((field) => EVENT_FIELDS.indexOf(field))) + 1;
  const selection = SELECTIONS.find(({ width }) => width >= needed);
  if (!selection) throw new Error('No selection has all columns.');
  return selection;
}

/**
 * Returns the SQL select list of an `EventRow`. JSON and times are selected as text, because parsing them costs more than finding
 * the row. Times outside the years 0001 to 9999 have a form of their own (formats/stored-time.ts).
 * @param fraction the precision of `createdAt`: `US` for stored microseconds, `MS` for the milliseconds of the wire format
 */
export function selectList(fraction: 'US' | 'MS'): string {
  return EVENT_FIELDS.map((field) => `${toText(EVENT_COLUMNS[field], fraction)} AS "${field}"`).join(', ');
}

function toText({ column, type }: Column, fraction: 'US' | 'MS'): string {
  if (type === 'timestamptz') return timeToText(column, fraction);
  return type === 'json' || type === 'jsonb' ? `${column}::text` : column;
}
