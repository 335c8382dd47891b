import { search } from './request.mjs';
import { send } from './send.mjs';

/** @typedef {{id: number, createdAt: string, type: string, createdByUserId: number | null, environment: string | null, project: string | null, featureName: string | null, data: unknown}} LoggedEvent */
/**
 * @typedef {object} Log
 * @property {LoggedEvent[]} events the newest thousand
 * @property {number} total
 * @property {boolean} hasNewerFilters whether the peer filters by `environment` and `id`, as Unleash does since version 7
 */

/** Number of frequent values of a field in requests, and of rarer values with unusual characters. */
const VALUES = 25;
const USUAL = /^[\w.-]+$/;

/**
 * Reads the newest events of the peer, with the values that requests are made from.
 * @param {import('./options.mjs').Side} peer
 * @returns {Promise<Log>}
 */
export async function readLog(peer) {
  const { status, body } = await send(peer, search({ limit: 1000 }));
  if (status !== 200)
    throw new Error(
      `${peer.url} responded with ${status} to a search. Check that it is an Unleash server, 6.0 or later, and that the token is an administrator's.`,
    );
  // A server that does not know a filter ignores it, even if it is malformed.
  const malformed = await send(peer, search({ environment: 'malformed', limit: 1 }));
  return { ...body, hasNewerFilters: malformed.status === 400 };
}

/**
 * Returns the most frequent values, and others with unusual characters.
 * @type {<T>(events: LoggedEvent[], read: (event: LoggedEvent) => T | null) => T[]}
 */
export function valuesOf(events, read) {
  const counts = new Map();
  for (const event of events) {
    const value = read(event);
    if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const unusual = values.slice(VALUES).filter((value) => !USUAL.test(String(value)));
  return [...values.slice(0, VALUES), ...unusual.slice(0, VALUES)];
}

/** Returns parts of the payloads, in upper and in original case. @type {(events: LoggedEvent[]) => string[]} */
export function wordsOf(events) {
  const words = valuesOf(
    events
      .flatMap((event) => (JSON.stringify(event.data) ?? '').match(/[A-Za-z][A-Za-z-]{3,}/g) ?? [])
      .map((word) => /** @type {any} */ ({ word })),
    (/** @type {any} */ { word }) => /** @type {string} */ (word),
  );
  return words.map((word, index) => (index % 3 === 0 ? word.toUpperCase() : word.slice(0, 12)));
}
