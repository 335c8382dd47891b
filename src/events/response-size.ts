import { GatewayError } from '../errors.js';
import type { SelectedFields } from '../request-context.js';
import { type EventChanges, lengthOfChanges } from './changes/change-list.js';
import type { Event } from './event.js';
import type { Context } from './log-reader.js';

/**
 * The largest total size of the events and `changes` in the response of one operation, in characters. Some ten thousand events have this
 * size. A response needs several times as much memory.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A page that is the only one of its operation may have each text twice, such as in `nodes` and in `edges`. */
const MAX_REPETITION = 2;

/** The characters of the value of a short field, such as a name or a time, and of its punctuation. */
const SHORT_VALUE = 20;

/** What an event takes in memory at least, in characters. */
export const LEAST_EVENT = 300;

/** The characters of the shortest tag. Each tag repeats the names of its fields. */
const SHORTEST_TAG = 28;

const sizes = new WeakMap<Context, number>();

/** How often a response has the texts of an event. Aliases and `edges` repeat them. */
export interface EventWeights {
  /** The characters of its short fields and of all names. */
  readonly short: number;
  readonly data: number;
  readonly preData: number;
  readonly tags: number;
}

/**
 * Adds events to the size of the response of an operation.
 * @param prefixes the prefixes of the paths of event fields, such as `nodes.`
 * @throws GatewayError BadDataError that names the connection if they are larger than one response can hold
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
  add(
    context,
    written,
    // The reading of a page limits its size (large-pages.ts), so one page alone is never too large.
    written <= MAX_REPETITION * read,
    'The events are larger than one GraphQL response can hold. Read them in smaller pages by events(filter, first, after), and each field once.',
  );
}

/**
 * Adds the changes of an event to the size of the response of an operation.
 * @throws GatewayError BadDataError if they are larger than one response can hold
 */
export function addChangesToResponse(
  context: Context,
  changes: EventChanges | null,
  selected: SelectedFields,
  prefixes: readonly string[],
): void {
  const { times, characters } = measureNames(selected, prefixes, 'changes');
  const size = times * lengthOfChanges(changes) + characters * (changes?.items.length ?? 0);
  add(context, size, false, 'The changes are more than one GraphQL response can hold. Read smaller pages.');
}

function add(context: Context, characters: number, isAllowedAlone: boolean, message: string): void {
  const before = sizes.get(context) ?? 0;
  sizes.set(context, before + characters);
  if (before === 0 && isAllowedAlone) return;
  if (before + characters > MAX_CHARACTERS) throw new GatewayError('BadDataError', message, { limit: 'request' });
}

function weighFields(selected: SelectedFields, prefixes: readonly string[]): EventWeights {
  let short = 0;
  for (const [path, names] of selected)
    if (prefixes.some((prefix) => path.startsWith(prefix))) for (const name of names) short += name.length + SHORT_VALUE;
  const tags = measureNames(selected, prefixes, 'tags');
  return {
    short: Math.max(short, LEAST_EVENT),
    data: measureNames(selected, prefixes, 'data').times,
    preData: measureNames(selected, prefixes, 'preData').times,
    tags: Math.max(tags.times, tags.characters / SHORTEST_TAG) + measureNames(selected, prefixes, 'storedTags').times,
  };
}

/** Returns how often a response has a field of an event, or the fields below it, and the characters of all their names. */
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
