import { GatewayError } from '../errors.js';
import type { Event } from './event.js';
import type { Context } from './log-reader.js';

/**
 * The largest size of the `featureEvents` lists of one operation together, in characters of their texts: some ten thousand events. A
 * response needs several times as much memory.
 */
const MAX_LIST_CHARACTERS = 16 * 1024 * 1024;

const sizes = new WeakMap<Context, number>();

/**
 * Adds events to the lists that an operation holds in memory.
 * @throws GatewayError BadDataError that names the connection if the lists are larger than one response can hold
 */
export function addToLists(context: Context, events: readonly Event[]): void {
  let characters = sizes.get(context) ?? 0;
  for (const { textLength } of events) characters += textLength;
  sizes.set(context, characters);
  if (characters <= MAX_LIST_CHARACTERS) return;
  throw new GatewayError(
    'BadDataError',
    'The lists have more events than one GraphQL response can hold. Read them in pages by events(filter, first, after).',
    { limit: 'request' },
  );
}
