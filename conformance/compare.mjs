import { isDeepStrictEqual } from 'node:util';

/** @typedef {import('./send.mjs').Answer} Answer */
/** @typedef {{path: string, peer: unknown, gateway: unknown}} Difference path: such as `events[].label`; an absent value is undefined */

/**
 * @param {Answer} peer
 * @param {Answer} gateway
 * @returns {Difference[]} empty if a client could not distinguish the responses
 */
export function compare(peer, gateway) {
  if (peer.status !== gateway.status) return [{ path: 'status', peer: peer.status, gateway: gateway.status }];
  const headers = [
    ...differ('content-type', typeOf(peer), typeOf(gateway)),
    ...differ('allow', methodsOf(peer), methodsOf(gateway)),
  ];
  if (peer.status >= 400) return [...headers, ...compareErrors(peer.body ?? {}, gateway.body ?? {})];
  if (peer.status === 201) return [...headers, ...compareCreated(peer, gateway)];
  return [...headers, ...compareBodies(peer.body, gateway.body)];
}

/** @param {Answer} response */
function typeOf({ headers }) {
  return headers['content-type']?.toLowerCase();
}

/** @param {Answer} response */
function methodsOf({ headers }) {
  return headers.allow
    ?.split(',')
    .map((method) => method.trim())
    .sort();
}

/** @type {(path: string, peer: unknown, gateway: unknown) => Difference[]} */
function differ(path, peer, gateway) {
  return isDeepStrictEqual(peer, gateway) ? [] : [{ path, peer, gateway }];
}

/** @type {(peer: any, gateway: any) => Difference[]} */
function compareErrors({ id: peerId, ...peer }, { id: gatewayId, ...gateway }) {
  return [...differ('id', typeof peerId, typeof gatewayId), ...compareValues('', peer, gateway)];
}

/** @type {(peer: Answer, gateway: Answer) => Difference[]} */
function compareCreated(peer, gateway) {
  const shape = (/** @type {any} */ token) => ({
    ...token,
    secret: `${token.secret?.length} characters`,
    url: token.url?.replace(token.secret, '<secret>'),
    createdAt: typeof token.createdAt,
  });
  const location = (/** @type {Answer} */ { headers, body }) => headers.location?.replace(body?.secret, '<secret>');
  return [...differ('location', location(peer), location(gateway)), ...compareValues('', shape(peer.body), shape(gateway.body))];
}

/** @type {(peer: any, gateway: any) => Difference[]} */
function compareBodies(peer, gateway) {
  if (Array.isArray(peer?.users) && Array.isArray(gateway?.users)) return compareTokens(peer, gateway);
  if (!Array.isArray(peer?.events) || !Array.isArray(gateway?.events)) return compareValues('', peer, gateway);
  const { events: peerEvents, ...peerRest } = peer;
  const { events: gatewayEvents, ...gatewayRest } = gateway;
  return [...compareValues('', peerRest, gatewayRest), ...compareEvents(peerEvents, gatewayEvents)];
}

/**
 * Compares two signup tokens. A difference only in the order of their users has its own path.
 * @type {(peer: any, gateway: any) => Difference[]}
 */
function compareTokens(peer, gateway) {
  const ids = (/** @type {any} */ { users }) => users.map((/** @type {{id: number}} */ { id }) => id);
  const sorted = (/** @type {any} */ token) => ({
    ...token,
    users: token.users.toSorted((/** @type {any} */ a, /** @type {any} */ b) => a.id - b.id),
  });
  const values = compareValues('', sorted(peer), sorted(gateway));
  const hasOtherUsers = values.some(({ path }) => path === 'users' || path === 'users[].id');
  return hasOtherUsers ? values : [...differ('order of users', ids(peer), ids(gateway)), ...values];
}

/**
 * Compares lists of events. A different order of events with the same time, which some servers do not define, has its own path.
 * @type {(peer: any[], gateway: any[]) => Difference[]}
 */
function compareEvents(peer, gateway) {
  const ids = (/** @type {any[]} */ events) => events.map(({ id }) => id);
  if (!isDeepStrictEqual(ids(peer), ids(gateway))) {
    const path = areSameMoments(peer, gateway) ? 'events of one moment' : 'events';
    return [{ path, peer: ids(peer), gateway: ids(gateway) }];
  }
  return distinct(peer.flatMap((event, index) => compareValues('events[]', event, gateway[index])));
}

/**
 * Checks that both pages have the same events at each time, except at the first and the last, which can span several pages.
 * @type {(peer: any[], gateway: any[]) => boolean}
 */
function areSameMoments(peer, gateway) {
  const times = (/** @type {any[]} */ events) => events.map(({ createdAt }) => createdAt);
  if (!isDeepStrictEqual(times(peer), times(gateway))) return false;
  const cut = [peer[0]?.createdAt, peer.at(-1)?.createdAt];
  const within = (/** @type {any[]} */ events) =>
    events
      .filter(({ createdAt }) => !cut.includes(createdAt))
      .map(({ createdAt, id }) => `${createdAt} ${id}`)
      .sort();
  return isDeepStrictEqual(within(peer), within(gateway));
}

/** @type {(path: string, peer: any, gateway: any) => Difference[]} */
function compareValues(path, peer, gateway) {
  if (isPlain(peer) && isPlain(gateway)) {
    const keys = [...new Set([...Object.keys(peer), ...Object.keys(gateway)])];
    return keys.flatMap((key) => compareValues(path === '' ? key : `${path}.${key}`, peer[key], gateway[key]));
  }
  if (Array.isArray(peer) && Array.isArray(gateway) && peer.length === gateway.length) {
    return distinct(peer.flatMap((item, index) => compareValues(`${path}[]`, item, gateway[index])));
  }
  return differ(path, peer, gateway);
}

/** @param {unknown} value */
function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keeps the first difference of each path. @param {Difference[]} differences */
function distinct(differences) {
  return [...new Map(differences.toReversed().map((difference) => [difference.path, difference])).values()].toReversed();
}
