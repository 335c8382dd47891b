import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { registerCompression } from '../../src/http/compression.js';

test.each([
  ['no further header', {}, 'br'],
  ['a part of a file', { 'content-range': 'bytes 0-1999/5000' }, undefined],
  ['no-store', { 'cache-control': 'private, no-store' }, undefined],
  ['an image', { 'content-type': 'image/png' }, undefined],
])('a long body with %s → %j has the encoding %s', async (_, headers, expected) => {
  const app = Fastify();
  registerCompression(app);
  app.get('/', (_request, reply) => reply.headers(headers).send('x'.repeat(2_000)));
  const response = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, expected]);
});
