import { gzipSync } from 'node:zlib';
import { create, createFrom, JSON_TYPE } from '../request.mjs';

/** @typedef {import('../checks.mjs').Known} Known */
/** @typedef {import('../request.mjs').Request} Request */

/** @type {(now: Date, days: number) => string} */
const inDays = (now, days) => new Date(now.getTime() + days * 86_400_000).toISOString();

/** @type {(known: Known) => Request[]} */
export function fields({ now }) {
  const expiresAt = inDays(now, 7);
  return [
    ...['ÄÖÜ 🏁', ' spaced ', "o'clock", 'x'.repeat(255), 'line\nbreak'].map((name) => createFrom({ name, expiresAt })),
    ...['', '   ', 7, true, null, ['list'], { an: 'object' }].map((name) => createFrom({ name, expiresAt })),
    ...['nul \0', 'half of a pair \ud800'].map((name) => createFrom({ name, expiresAt })),
    createFrom({ name: 'unknown field', expiresAt, colour: 'red' }),
    createFrom({ name: 'field of a token', expiresAt, enabled: true }),
    createFrom({ expiresAt }),
    createFrom({ name: 'no date' }),
    create(`{"name":"first","name":"second","expiresAt":"${expiresAt}"}`),
    create(`{"__proto__":{"name":"inherited"},"name":"own","expiresAt":"${expiresAt}"}`),
    ...[63, 64, 100].map((levels) =>
      create(`{"name":"deep","expiresAt":"${expiresAt}","x":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    ),
    create(JSON.stringify({ name: 'with a key', expiresAt }), {
      ...JSON_TYPE,
      'idempotency-key': `conformance-${now.getTime()}`,
    }),
    ...[[], null, {}, 'text', 7, [{ name: 'in a list', expiresAt }]].map(createFrom),
  ];
}

/** @type {(known: Known) => Request[]} */
export function dates({ now }) {
  const soon = inDays(now, 7);
  const [day = '', seconds = ''] = [soon.slice(0, 10), soon.slice(0, 19)];
  const forms = [
    ...[1, 7, 20, 400].map((days) => inDays(now, days)),
    ...['Z', '.1Z', '.123456Z', '+00:00', '-00:00', '+02:00', '+0200', '+02', ' UTC', ''].map((zone) => `${seconds}${zone}`),
    ...[',5Z', '.Z', 'z'].map((end) => `${seconds}${end}`),
    ...['T23:59:60Z', 'T24:00:00Z', 'T12:00:00+14:00', 'T12:00:00+24:00', 'T12:00Z', ' 12:00:00Z', 't12:00:00Z', ''].map(
      (time) => `${day}${time}`,
    ),
    ...['2020-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ...['+010000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2030-13-01T00:00:00Z'],
    ...['2030-W01-1T00:00:00Z', 'Sun, 06 Nov 2044 08:49:37 GMT', 'tomorrow', ` ${soon} `, '', 7, null, now.getTime()],
  ];
  return forms.map((expiresAt) => createFrom({ name: 'date', expiresAt }));
}

/** @type {(known: Known) => Request[]} */
export function bodies({ now }) {
  const expiresAt = inDays(now, 7);
  const text = JSON.stringify({ name: 'körper', expiresAt });
  const types = [
    ...['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'utf-16', 'iso-8859-1', 'us-ascii', 'nonsense', ''].map(
      (charset) => `application/json; charset=${charset}`,
    ),
    ...['Application/JSON', 'application/vnd.api+json', 'text/json', 'text/plain', 'application/x-www-form-urlencoded'],
    'multipart/form-data; boundary=x',
  ];
  return [
    ...types.map((type) => create(text, { 'content-type': type })),
    create(text, {}),
    create(Buffer.from(text, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
    create(Buffer.from(text, 'latin1')),
    create(`\ufeff${text}`),
    create(gzipSync(text), { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    ...['identity', 'br', 'nonsense'].map((encoding) => create(text, { ...JSON_TYPE, 'content-encoding': encoding })),
    create(''),
    create('{"name":'),
    create(`${text}${text}`),
    createFrom({ name: 'x'.repeat(110 * 1024), expiresAt }),
  ];
}
