import { EVENT_FIELDS, type EventField } from './event.js';

/** The fields of a row that each field of the API needs. */
const FIELDS: ReadonlyMap<string, readonly EventField[]> = new Map<string, readonly EventField[]>([
  ...EVENT_FIELDS.map((field) => [field, [field]] as const),
  ['typeName', ['type']],
  ['storedTags', ['tags']],
  ['changes', ['data', 'preData']],
]);

/** A document that is sent again has the same set of selected fields. */
const cached = new WeakMap<ReadonlySet<string>, Map<string, readonly EventField[]>>();

/**
 * Returns the fields of a row that the selected fields of events need.
 * @param selected the paths of selected fields, such as `nodes.typeName`
 * @param paths the paths of events, such as `nodes`
 */
export function selectedEventFields(selected: ReadonlySet<string>, ...paths: readonly string[]): readonly EventField[] {
  const byPaths = cached.get(selected) ?? new Map<string, readonly EventField[]>();
  cached.set(selected, byPaths);
  const key = paths.join();
  const fields =
    byPaths.get(key) ??
    [...FIELDS].flatMap(([name, needed]) => (paths.some((path) => selected.has(`${path}.${name}`)) ? needed : []));
  byPaths.set(key, fields);
  return fields;
}
