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
 * @param selected the paths of selected fields, such as `nodes.typeName`
 * @param paths the paths of events, such as `nodes`
 */
export function selectedEventFields(selected: ReadonlySet<string>, ...paths: readonly string[]): EventField[] {
  const isSelected = (name: string) => paths.some((path) => selected.has(`${path}.${name}`));
  return [...FIELDS].flatMap(([name, needed]) => (isSelected(name) ? needed : []));
}
