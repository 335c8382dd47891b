import type { SelectedFields } from '../request-context.js';
import { EVENT_FIELDS, type EventField } from './event.js';

/** The fields of a row that each field of the API needs. */
const FIELDS: ReadonlyMap<string, readonly EventField[]> = new Map<string, readonly EventField[]>([
  ...EVENT_FIELDS.map((field) => [field, [field]] as const),
  ['typeName', ['type']],
  ['storedTags', ['tags']],
  ['changes', ['data', 'preData']],
]);

const found = new WeakMap<SelectedFields, readonly EventField[]>();

/**
 * Returns the fields of a row that the selected fields of events need.
 * @param prefixes the prefixes of the paths of event fields, such as `nodes.`. One `selected` always has the same prefixes
 */
export function selectedEventFields(selected: SelectedFields, prefixes: readonly string[]): readonly EventField[] {
  const fields = found.get(selected) ?? findFields(selected, prefixes);
  found.set(selected, fields);
  return fields;
}

function findFields(selected: SelectedFields, prefixes: readonly string[]): EventField[] {
  const isSelected = (name: string) => prefixes.some((prefix) => selected.has(prefix + name));
  return [...FIELDS].flatMap(([name, needed]) => (isSelected(name) ? needed : []));
}
