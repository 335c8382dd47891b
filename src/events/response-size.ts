import { GatewayError } from '../errors.js';
import type { SelectedFields } from '../request-context.js';
import { type EventChanges, lengthOfChanges } from './changes/change-list.js';
import type { Event } from './event.js';
import type { Context } from './log-reader.js';

/**
 * The largest total size of the events and `changes` in the response of one operation, in characters. Some ten thousand events
 * have this size. A response needs several times as much memory. large-pages.ts has the size at which a page ends early.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A response of this size takes some 20 ms to write. */
const LARGE_RESPONSE = 1024 * 1024;

/**
 * The first page of an operation is never too large if the response has each text at most twice, as in `nodes` and `edges`. Neither
 * are the changes of one event.
 */
const MAX_REPETITION = 2;

/** The length of a short value, such as a name or a time, with its punctuation, in characters. */
const SHORT_VALUE = 20;

/** Each event counts as at least this many characters. */
export const LEAST_EVENT = 300;

/**
 * The length of the shortest stored tag, in characters. An event has at most one tag for this many characters of its stored tags.
 * In a response, each tag repeats the names of its fields, and aliases can make these names long.
 */
const SHORTEST_TAG = 28;

interface ResponseSize {
  characters: number;
  events: number;
  /** The error of the first field whose events did not fit. The operation fails with it. */
  tooLarge: GatewayError | null;
}

/** The size of the response of each operation in progress. */
const sizes = new WeakMap<Context, ResponseSize>();

/** How often a response has the texts of an event. Aliases and `edges` repeat them. */
export interface EventWeights {
  /** The characters of an event's short fields, and of the names of all its fields. */
  readonly short: number;
  readonly data: number;
  readonly preData: number;
  readonly tags: number;
  /** How often the response has `changes`, which repeat parts of `data` and `preData`. */
  readonly changes: number;
}

/**
 * Adds events to the size of the response of an operation.
 * @param prefixes the prefixes of the paths of event fields, such as `nodes.`
 * @throws GatewayError BadDataError that recommends pages of the `events` field, if one response cannot hold the events
 */
export function addToResponse(
  context: Context,
  events: readonly Event[],
  selected: SelectedFields,
  prefixes: readonly string[],
): void {
  const weights = weighFields(selected, prefixes);
  const read = events.reduce((sum, { textLength }) => sum + textLength, 0);
  const written = events.reduce((sum, event) => sum + event.lengthIn(weights), 0);
  const size = sizes.get(context) ?? { characters: 0, events: 0, tooLarge: null };
  sizes.set(context, size);
  const isAlone = size.events === 0;
  size.events += events.length;
  size.characters += written;
  // Each page is limited when it is read (large-pages.ts), so one page alone is never too large.
  if (isAlone && written <= MAX_REPETITION * read) return;
  if (size.characters <= MAX_CHARACTERS) return;
  size.tooLarge ??= new GatewayError(
    'BadDataError',
    'The events are larger than one GraphQL response can hold. Use smaller pages of events(filter, first, after), and select no field twice.',
    { limit: 'request' },
  );
  throw size.tooLarge;
}

/**
 * Rejects a further field of an operation that is already too large, before the field reads the database.
 * @throws the GatewayError of the first field that did not fit
 */
export function rejectIfTooLarge(context: Context): void {
  const tooLarge = sizes.get(context)?.tooLarge;
  if (tooLarge) throw tooLarge;
}

/**
 * Adds the changes of an event to the size of the response of an operation.
 * @throws GatewayError BadDataError if one response cannot hold the changes
 */
export function addChangesToResponse(
  context: Context,
  changes: EventChanges | null,
  selected: SelectedFields,
  prefixes: readonly string[],
): void {
  const { times, characters } = measureNames(selected, prefixes, 'changes');
  const size = sizes.get(context);
  if (!size) return;
  const added = times * lengthOfChanges(changes) + characters * (changes?.items.length ?? 0);
  size.characters += added;
  // The changes of one event have a limit of their own (changes/change-list.ts), so they are too large only if they are repeated.
  const isTooLarge = size.events > 1 ? size.characters > MAX_CHARACTERS : times > MAX_REPETITION && added > MAX_CHARACTERS;
  if (isTooLarge)
    throw new GatewayError(
      'BadDataError',
      'The changes are larger than one GraphQL response can hold. Use smaller pages, and select no field twice.',
      {
        limit: 'request',
      },
    );
}

/** Whether the response of an operation is large so far. */
export function hasLargeResponse(context: Context): boolean {
  return (sizes.get(context)?.characters ?? 0) >= LARGE_RESPONSE;
}

/** The weights by selection. Requests that run the same plan (docs/decisions/034-plans.md) share one `SelectedFields`. */
const weighed = new WeakMap<SelectedFields, EventWeights>();

/** @param prefixes the prefixes of the paths of event fields, such as `nodes.`. One `selected` always has the same prefixes */
export function weighFields(selected: SelectedFields, prefixes: readonly string[]): EventWeights {
  const weights = weighed.get(selected) ?? computeWeights(selected, prefixes);
  weighed.set(selected, weights);
  return weights;
}

function computeWeights(selected: SelectedFields, prefixes: readonly string[]): EventWeights {
  let short = 0;
  for (const [path, names] of selected)
    if (prefixes.some((prefix) => path.startsWith(prefix))) for (const name of names) short += name.length + SHORT_VALUE;
  const timesOf = (field: string) => measureNames(selected, prefixes, field).times;
  const tags = measureNames(selected, prefixes, 'tags');
  return {
    short: Math.max(short, LEAST_EVENT),
    data: timesOf('data'),
    preData: timesOf('preData'),
    changes: timesOf('changes'),
    tags: Math.max(tags.times, tags.characters / SHORTEST_TAG) + timesOf('storedTags'),
  };
}

/**
 * Measures a field of an event together with the fields below it.
 * @returns `times`, how often the response has the field, and `characters`, the length of all names of the fields
 */
function measureNames(selected: SelectedFields, prefixes: readonly string[], field: string) {
  let [times, characters] = [0, 0];
  for (const prefix of prefixes) {
    let most = 0;
    for (const [path, names] of selected) {
      if (path !== prefix + field && !path.startsWith(`${prefix}${field}.`)) continue;
      most = Math.max(most, names.length);
      characters += names.reduce((sum, { length }) => sum + length, 0);
    }
    times += most;
  }
  return { times, characters };
}
