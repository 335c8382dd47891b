import type { SelectedFields } from '../request-context.js';
import { EVENT_FIELDS, type EventField } from './event.js';

/** The fields of a row that each field of the API needs. */
const FIELDS: ReadonlyMap<string, readonly EventField[]> = new Map<string, readonly EventField[]>([
  ...EVENT_FIELDS.map((field) => [field, [field]] as const),
  ['typeName', ['type']],
  ['storedTags', ['tags']],
  ['changes', ['data', 'preData']],
]);

/**
 * Returns the fields of a row that the selected fields of events need.
 * @param prefixes the places of the events among the selected fields, such as `nodes.`
 */
export function selectedEventFields(selected: SelectedFields, prefixes: readonly string[]): EventField[] {
  const isSelected = (name: string) => prefixes.some((prefix) => selected.has(prefix + name));
  return [...FIELDS].flatMap(([name, needed]) => (isSelected(name) ? needed : []));
}
