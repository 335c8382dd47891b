import type { Event } from './event.js';
import type { Context } from './log-reader.js';

/** The lists of events that the operations in progress have read, and that no other operation shares. */
const lists = new WeakMap<Context, (readonly Event[])[]>();

/** Notes that the events are dropped once the response of the operation is written. */
export function releaseOnceWritten(context: Context, events: readonly Event[]): void {
  const noted = lists.get(context);
  if (noted) noted.push(events);
  else lists.set(context, [events]);
}

/**
 * Drops the rows of an operation after its result was written as JSON text. An operation waits for its turn and for the database
 * in objects that V8 moves to its old generation meanwhile. Such an object keeps the rows in memory until the next full garbage
 * collection, even after the response (docs/decisions/044-pages-beside-postgraphile.md).
 */
export function releaseEvents(context: Context): void {
  for (const events of lists.get(context) ?? []) for (const event of events) event.release();
  lists.delete(context);
}
