import { EVENT_FIELDS, type EventField } from './event.js';

/** The fields of the API that have another name in a row. */
const FIELDS: ReadonlyMap<string, EventField> = new Map([
  ...EVENT_FIELDS.map((field) => [field, field] as const),
  ['typeName', 'type'],
  ['storedTags', 'tags'],
]);

/**
 * Returns the fields of a row that the selected fields of events need.
 * @param selected the paths of selected fields, such as `nodes.typeName`
 * @param paths the paths of events, such as `nodes`
 */
export function selectedEventFields(selected: ReadonlySet<string>, ...paths: readonly string[]): EventField[] {
  return [...FIELDS].flatMap(([name, field]) => (paths.some((path) => selected.has(`${path}.${name}`)) ? [field] : []));
}
