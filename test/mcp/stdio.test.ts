import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { startHttpServer } from '../support/http-server.js';
import { connectMcp, connectMcpOverHttp } from '../support/mcp-client.js';
import { runCommand } from '../support/run-command.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway('log');
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-mcp-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await gateway.stop();
});

async function writeToken(token: string): Promise<string> {
  const file = path.join(folder, `${Math.random()}`);
  await writeFile(file, `${token}\n`);
  return file;
}

/** Runs the command until it has responded to all messages. */
async function send(url: string, tokenFile: string, ...messages: (object | string)[]) {
  const lines = messages.map((message) =>
    typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
  );
  const { code, stdout, stderr } = await runCommand(
    {},
    ['mcp', '--from', url, '--token-file', tokenFile],
    `${lines.join('\n')}\n`,
  );
  return {
    code,
    stderr,
    responses: stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
  };
}

test('the built command, started by the client of the SDK → the same tools and results as over HTTP', async () => {
  const tokenFile = await writeToken(gateway.viewerToken);
  // Forwards to the gateway, and records the headers.
  const between = await startHttpServer(async (request, response) => {
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const init = { method: 'POST', headers: { authorization, 'content-type': type }, body: await text(request) };
    const forwarded = await fetch(`${gateway.url}${request.url}`, init);
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(await forwarded.text());
  });
  const args = ['dist/main.js', 'mcp', '--from', between.url, '--token-file', tokenFile];
  const stdio = await connectMcp(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const http = await connectMcpOverHttp(gateway.url, gateway.viewerToken);
  try {
    expect(stdio.tools).toEqual(http.tools);
    const search = { features: ['many-events'], limit: 3 };
    const found = await stdio.call('search_events', search);
    expect(found.found.events).toHaveLength(3);
    expect(found).toEqual(await http.call('search_events', search));
    expect((await stdio.call('search_events', { feature: 'x' })).isError).toBe(true);
    await expect(stdio.client.callTool({ name: 'unknown' })).rejects.toMatchObject({ code: -32602 });
    expect(stdio.errors).toEqual([]);
    const [first, ...others] = between.requests.map(({ url, headers }) => [url, headers['mcp-protocol-version']]);
    expect(first).toEqual(['/mcp', undefined]);
    for (const other of others) expect(other).toEqual(['/mcp', LATEST_PROTOCOL_VERSION]);
  } finally {
    await stdio.client.close();
    await http.client.close();
    await between.stop();
  }
});

describe('the command mcp', () => {
  const PING = { id: 'a', method: 'ping' };

  test('messages until the end of the input → a response to each request, and none to a notification', async () => {
    const file = await writeToken(gateway.viewerToken);
    const { code, responses } = await send(gateway.url, file, PING, { method: 'notifications/initialized' }, { ...PING, id: 2 });
    expect(code).toBe(0);
    expect(responses).toHaveLength(2);
    expect(responses).toEqual(expect.arrayContaining(['a', 2].map((id) => ({ jsonrpc: '2.0', id, result: {} }))));
  });

  test('a wrong token → the error of the gateway, for the agent and on standard error', async () => {
    const { responses, stderr } = await send(gateway.url, await writeToken('not-a-token'), PING);
    const data = { name: 'UnauthorizedError', id: expect.any(String), message: expect.any(String) };
    expect(responses).toEqual([{ jsonrpc: '2.0', id: 'a', error: { code: -32000, message: expect.any(String), data } }]);
    expect(stderr).toMatch(/\/mcp responded with 401: The API token is not recognized/);
  });

  test('a reason of another server with control characters → printed without them, and cut', async () => {
    const message = `\u001b]0;title\u0007 ${'x'.repeat(10_000)}`;
    const server = await startHttpServer((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
    });
    const { stderr } = await send(server.url, await writeToken('a-token'), PING);
    await server.stop();
    expect(stderr).toMatch(/responded with 403: {2}\]0;title {2}x+…$/m);
    expect(stderr.length).toBeLessThan(700);
  });

  test('no gateway, or another server → the reason, for the agent and on standard error', async () => {
    const file = await writeToken('a-secret-token');
    const gone = await startHttpServer(() => undefined);
    await gone.stop();
    for (const [url, reason] of [
      [gone.url, /\/mcp did not give a valid response: .*ECONNREFUSED/],
      [`${gateway.url}/livez`, /did not give a valid response: it responded with 404/],
    ] as const) {
      const { code, responses, stderr } = await send(url, file, PING);
      expect(code).toBe(0);
      expect(responses).toEqual([{ jsonrpc: '2.0', id: 'a', error: { code: -32000, message: expect.stringMatching(reason) } }]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toContain('a-secret-token');
    }
  });

  test('a redirect, a page of a proxy, and no response to a request that is canceled → an error or nothing', async () => {
    const odd = await startHttpServer(async (request, response) => {
      const { id } = JSON.parse(await text(request));
      if (id === 'redirect') response.writeHead(302, { location: 'https://evil.example.com/mcp' }).end();
      if (id === 'page') response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    const cancel = { method: 'notifications/cancelled', params: { requestId: 'never' } };
    const ids = ['redirect', 'page', 'never'];
    const messages = [...ids.map((id) => ({ id, method: 'ping' })), cancel];
    const { code, responses } = await send(odd.url, await writeToken('a-secret-token'), ...messages);
    await odd.stop();
    expect(code).toBe(0);
    const reasons = Object.fromEntries(responses.map(({ id, error }) => [id, error.message]));
    expect(reasons).toEqual({
      redirect: `${odd.url}/mcp did not give a valid response: it responded with 302`,
      page: `${odd.url}/mcp did not give a valid response: it responded with 502`,
    });
  });

  test('a line that is no message → a sentence on standard error, and the next line is forwarded', async () => {
    const { responses, stderr } = await send(gateway.url, await writeToken(gateway.viewerToken), '{"nonsense"', PING);
    expect(responses).toEqual([{ jsonrpc: '2.0', id: 'a', result: {} }]);
    expect(stderr).toBe('A line of standard input is not a message of JSON-RPC.\n');
  });

  test('no such file, or no token in it → the reason, and nothing of a secret', async () => {
    const missing = await send(gateway.url, path.join(folder, 'missing'), PING);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/missing in --token-file cannot be read \(ENOENT\)/),
    });
    const wrong = await send(gateway.url, await writeToken('two\nlines'), PING);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/must contain one API token/) });
    expect(wrong.stderr).not.toContain('lines');
  });
});
