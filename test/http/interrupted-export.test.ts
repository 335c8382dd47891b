import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EXPORT = '/v1/events/export';
const EVENTS = 150;
/** Enough for some exports of these events. */
const BUDGET = 5_000;
/** Together the events have more bytes than sockets buffer, so a paused client stops the export. */
const CHARACTERS = 100_000;

/** The token of an export is looked up again within this time. */
const CHECKED_WITHIN_MS = 10_500;

/** The status of curl if the connection is reset. */
const CURL_RESET = 56;

describe('an export that takes a while', () => {
  let gateway: TestGateway;
  /** Each test has a token of its own, because exports use up the budget of their token. */
  let token: string;
  /** The number of log lines before the test. */
  let earlierLines: number;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { GRAPHQL_COST_PER_MINUTE: String(BUDGET) });
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    token = await gateway.createToken({});
    earlierLines = gateway.log.length;
    await gateway.prisma.$executeRaw`TRUNCATE events`;
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, data)
      SELECT 'feature-created', 'x', json_build_object('text', repeat(chr(97 + i % 26), ${CHARACTERS}::int))
      FROM generate_series(1, ${EVENTS}::int) AS i`;
  });

  /** Starts an export and reads only its headers. */
  async function open(parameters = '', ofToken = token): Promise<IncomingMessage> {
    const request = get(`${gateway.url}${EXPORT}?${parameters}`, {
      headers: { authorization: ofToken },
      agent: false,
    });
    // A reset is also an error of the response.
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  /** Reads up to a number of bytes. @returns what arrived before the end, and the error code of a reset */
  async function read(
    response: IncomingMessage,
    most = Number.POSITIVE_INFINITY,
  ): Promise<{ text: string; error: string | null }> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= most) break;
      }
      return { text: Buffer.concat(chunks).toString(), error: null };
    } catch (error) {
      return { text: Buffer.concat(chunks).toString(), error: (error as NodeJS.ErrnoException).code ?? '' };
    }
  }

  const insert = () => gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later' } });

  test('writes meanwhile → do not show, and the count is that of the lines', async () => {
    const response = await open();
    const { id } = await insert();
    const { text, error } = await read(response);
    const lines = text.split('\n').slice(0, -1);
    expect(error).toBeNull();
    expect(lines.map((line) => JSON.parse(line).id).every((found) => found < id)).toBe(true);
    expect([response.headers['x-export-count'], lines.length]).toEqual([String(EVENTS), EVENTS]);
  });

  test('connections that break again and again → the rest of each is the rest of the file', async () => {
    const whole = (await read(await open('format=csv'))).text;
    let text = '';
    let breaks = 0;
    for (let parameters = 'format=csv'; ; breaks += 1) {
      const response = await open(parameters);
      const part = (await read(response, 3_000_000)).text;
      response.destroy();
      text += part.slice(0, part.lastIndexOf('\r\n') + 2);
      if (response.complete) break;
      const [, id] = /\n(\d+),[^\n]*\r\n$/.exec(text) ?? [];
      parameters = `format=csv&after=${id}&up-to=${response.headers['x-export-up-to']}`;
    }
    expect(breaks).toBeGreaterThan(2);
    expect(text === whole).toBe(true);
  });

  test('events that are removed meanwhile → the connection is reset, and no text of the error is in the file', async () => {
    const response = await open();
    await gateway.prisma.$executeRaw`DELETE FROM events WHERE id > (SELECT max(id) - 10 FROM events)`;
    const { text, error } = await read(response);
    expect(error).toBe('ECONNRESET');
    for (const line of text.split('\n').slice(0, -1)) expect(JSON.parse(line)).toMatchObject({ type: 'feature-created' });
    expect(gateway.log.slice(earlierLines).join('')).toContain('Events were added or removed within the range of the export');
  });

  test('an event that is added below the end → the connection is reset', async () => {
    await gateway.prisma.$executeRaw`DELETE FROM events WHERE id = (SELECT max(id) - 5 FROM events)`;
    const response = await open();
    await gateway.prisma.$executeRaw`
      INSERT INTO events (id, type, created_by) SELECT max(id) - 5, 'feature-created', 'below' FROM events`;
    expect((await read(response)).error).toBe('ECONNRESET');
  });

  test('a client of HTTP/1.0, to which a close is the end → gets a reset instead', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) });
    socket.write(`GET ${EXPORT} HTTP/1.0\r\nauthorization: ${token}\r\n\r\n`);
    await once(socket, 'readable');
    await gateway.prisma.$executeRaw`DELETE FROM events WHERE id > (SELECT max(id) - 10 FROM events)`;
    const ended = new Promise((resolve) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code)).on('end', () => resolve('end'));
    });
    socket.resume();
    expect(await ended).toBe('ECONNRESET');
  });

  test('a token that expires meanwhile, and one that is revoked → the connection is reset', async () => {
    const expiring = await open('', await gateway.createToken({ name: 'expiring', expiresAt: new Date(Date.now() + 2_000) }));
    const revoked = await open('', await gateway.createToken({ name: 'revoked' }));
    await gateway.prisma.apiToken.deleteMany({ where: { name: 'revoked' } });
    await setTimeout(CHECKED_WITHIN_MS);
    for (const response of [expiring, revoked]) expect((await read(response)).error).toBe('ECONNRESET');
    expect(gateway.log.slice(earlierLines).filter((line) => line.includes('UnauthorizedError'))).toHaveLength(2);
  });

  test('a second export of the token → 429 while the first runs; another token may export', async () => {
    const first = await open();
    const second = await gateway.send(EXPORT, { token });
    expectError(second, 429, 'TooManyRequestsError');
    expect(second.headers['retry-after']).toBe('5');
    expect((await gateway.send(EXPORT, { method: 'HEAD', token })).status).toBe(200);
    expect((await gateway.send(EXPORT, { token: gateway.viewerToken })).status).toBe(200);
    first.destroy();
    expect((await gateway.send(EXPORT, { token })).status).toBe(200);
  });

  test('a budget that is used up meanwhile → the export goes on, and the next one is rejected', async () => {
    await gateway.prisma
      .$executeRaw`INSERT INTO events (type, created_by) SELECT 'feature-created', 'x' FROM generate_series(1, ${BUDGET}::int)`;
    const { text, error } = await read(await open());
    expect(error).toBeNull();
    expect(text.split('\n').length - 1).toBe(EVENTS + BUDGET);
    expectError(await gateway.send(EXPORT, { token }), 429, 'TooManyRequestsError');
  });

  // This test has to be the last one, because it stops the gateway.
  test('a client of HTTP/1.0 that is still reading when the gateway stops → gets a reset, too', async () => {
    // A paused socket of Node.js does not notice a reset, so the client is curl. It reads too slowly for the time that a stop takes.
    const options = ['--silent', '--http1.0', '--limit-rate', '300k', '--header', `authorization: ${token}`];
    const client = spawn('curl', [...options, `${gateway.url}${EXPORT}`], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(client.stdout, 'readable');
    client.stdout.resume();
    const ended = once(client, 'close');
    await gateway.stop();
    expect(await ended).toEqual([CURL_RESET, null]);
  });
});
