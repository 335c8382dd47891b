import { GatewayError } from '../errors.js';
import { type EventChanges, lengthOfChanges } from './changes/change-list.js';
import type { Event } from './event.js';
import type { Context } from './log-reader.js';

/**
 * The largest total size of the events and `changes` of one operation, in characters of their texts. Some ten thousand events
 * have this size. A response needs several times as much memory.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;

const sizes = new WeakMap<Context, number>();

/**
 * Adds events to those that an operation holds in memory.
 * @throws GatewayError BadDataError that names the connection if the lists are larger than one response can hold
 */
export function addToLists(context: Context, events: readonly Event[]): void {
  add(
    context,
    events.reduce((sum, { textLength }) => sum + textLength, 0),
    'The lists have more events than one GraphQL response can hold. Read them in pages by events(filter, first, after).',
  );
}

/**
 * Adds the changes of an event to those that an operation holds in memory.
 * @throws GatewayError BadDataError if they are larger than one response can hold
 */
export function addToChanges(context: Context, changes: EventChanges | null): void {
  add(context, lengthOfChanges(changes), 'The changes are more than one GraphQL response can hold. Read smaller pages.');
}

/**
 * Adds characters to those of an operation. The first page alone is never too large, because its reading is limited
 * (page-size.ts).
 */
function add(context: Context, characters: number, message: string): void {
  const before = sizes.get(context) ?? 0;
  sizes.set(context, before + characters);
  if (before > 0 && before + characters > MAX_CHARACTERS) throw new GatewayError('BadDataError', message, { limit: 'request' });
}
