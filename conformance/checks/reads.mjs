import { hash } from 'node:crypto';
import { valuesOf, wordsOf } from '../log.mjs';
import { get, getFlag, SEARCH, search } from '../request.mjs';

/** @typedef {import('../checks.mjs').Known} Known */
/** @typedef {import('../request.mjs').Request} Request */

/** Number of pseudo-random combinations of filters. They are the same for the same log. */
const COMBINATIONS = 150;

/** @type {(known: Known) => Request[]} */
export function flags({ log: { events } }) {
  const names = valuesOf(events, ({ featureName }) => featureName);
  const [first = 'one', second = 'other'] = names;
  const invented = [
    `${first},${second}`,
    ` ${first} `,
    `${first}\n`,
    'no-such-flag',
    'ÄÖÜ',
    'a b',
    'a\nb',
    '%25',
    'a/b',
    "'; DROP TABLE events; --",
    '🏁',
    '',
  ];
  return [...names, ...invented].map(getFlag);
}

/** @type {(known: Known) => Request[]} */
export function filters({ log: { events } }) {
  const features = valuesOf(events, ({ featureName }) => featureName);
  const types = valuesOf(events, ({ type }) => type);
  const projects = valuesOf(events, ({ project }) => project);
  const users = valuesOf(events, ({ createdByUserId }) => createdByUserId);
  const dates = valuesOf(events, ({ createdAt }) => createdAt.slice(0, 10));
  return [
    ...features.map((name) => search({ feature: `IS:${name}` })),
    ...types.map((type) => search({ type: `IS:${type}` })),
    ...types.map((type, index) => search({ type: `IS_ANY_OF:${type},${types[(index + 1) % types.length]}`, limit: 20 })),
    ...projects.map((project) => search({ project: `IS:${project}` })),
    ...users.map((id) => search({ createdBy: `IS:${id}` })),
    search({ createdBy: `IS_ANY_OF:${users.join(',')}` }),
    search({ feature: `IS_ANY_OF:${features.slice(0, 5).join(', ')}` }),
    search({ feature: 'IS:no-such-flag' }),
    search({ feature: 'IS:a\nb' }),
    search({ type: 'IS:no-such-type' }),
    search({ project: 'IS:no-such-project' }),
    search({ createdBy: 'IS:987654321' }),
    ...dates.flatMap((day) => [
      search({ from: `IS:${day}`, to: `IS:${day}` }),
      search({ from: `IS:${day}` }),
      search({ to: `IS:${day}` }),
      search({ from: `IS:${shift(day, 1)}` }),
      search({ to: `IS:${shift(day, -1)}` }),
    ]),
    ...wordsOf(events).map((query) => search({ query })),
  ];
}

/** @type {(known: Known) => Request[]} */
export function newerFilters({ log: { events } }) {
  const environments = valuesOf(events, ({ environment }) => environment);
  const features = valuesOf(events, ({ featureName }) => featureName);
  const ids = events.map(({ id }) => id);
  const some = ids.filter((_, index) => index % 17 === 0).slice(0, 20);
  const [environment = 'production', feature = 'no-such-flag'] = [environments[0], features[0]];
  return [
    ...environments.map((name) => search({ environment: `IS:${name}` })),
    search({ environment: `IS_ANY_OF:${environments.join(', ')}`, limit: 20 }),
    search({ environment: `IS:${environment}`, feature: `IS:${feature}` }),
    search({ environment: 'IS:no-such-environment' }),
    search({ environment: `IS:${environment.toUpperCase()}` }),
    search({ environment: 'IS:' }),
    search({ environment }),
    search({ environment: `NOT:${environment}` }),
    get(`${SEARCH}?environment=IS:${environment}&environment=IS:other`),
    ...some.slice(0, 5).map((id) => search({ id: `IS:${id}` })),
    search({ id: `IS_ANY_OF:${some.join(',')}` }),
    search({ id: `IS_ANY_OF:${some.join(', ')}`, limit: 3, offset: 2 }),
    ...['IS:0', 'IS:-1', 'IS:2147483647', 'IS:99999999999', 'IS:abc', 'IS:1.5', 'IS:1,abc', 'IS:', '1'].map((id) =>
      search({ id }),
    ),
    ...['IS:1', 'IS_ANY_OF:1,2', 'IS:', '1', 'IS:abc'].map((groupId) => search({ groupId })),
  ];
}

/** @type {(known: Known) => Request[]} */
export function pages({ log: { total } }) {
  const limits = [1, 2, 10, 50, 1000];
  const offsets = [0, 1, 7, Math.floor(total / 2), Math.max(0, total - 1), total, total + 1];
  return [get(SEARCH), get(`${SEARCH}/`), ...limits.flatMap((limit) => offsets.map((offset) => search({ limit, offset })))];
}

/** @type {(known: Known) => Request[]} */
export function combinations({ log: { events, hasNewerFilters } }) {
  const is = (/** @type {unknown[]} */ values) => values.map((value) => `IS:${value}`);
  /** @type {[string, (string | number)[]][]} */
  const choices = [
    ['feature', is(valuesOf(events, ({ featureName }) => featureName))],
    ['type', is(valuesOf(events, ({ type }) => type))],
    ['project', is(valuesOf(events, ({ project }) => project))],
    ['createdBy', is(valuesOf(events, ({ createdByUserId }) => createdByUserId))],
    ['environment', hasNewerFilters ? is(valuesOf(events, ({ environment }) => environment)) : []],
    ['query', wordsOf(events)],
    ['from', is(valuesOf(events, ({ createdAt }) => createdAt.slice(0, 10)))],
    ['limit', [1, 5, 20]],
    ['offset', [0, 1, 3]],
  ];
  return Array.from({ length: COMBINATIONS }, (_, n) =>
    search(
      Object.fromEntries(
        choices.flatMap(([name, values]) => {
          const roll = chance(`${n} ${name}`);
          return values.length > 0 && roll % 3 === 0 ? [[name, values[Math.floor(roll / 3) % values.length] ?? '']] : [];
        }),
      ),
    ),
  );
}

/** Returns a pseudo-random number, which is the same for the same text. @param {string} text */
function chance(text) {
  return Number.parseInt(hash('md5', text).slice(0, 8), 16);
}

/** @type {(day: string, days: number) => string} */
function shift(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
