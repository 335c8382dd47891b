import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startNginx } from '../live/nginx.js';
import { CLIENTS } from '../support/subscribe.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { readText } from './repository.js';

const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
const isAvailable = spawnSync('nginx', ['-v'], { env }).status === 0;
const FEED = 'subscription { eventFeed(after: "now") { events { id } } }';

/** Returns the example of the guide, for another address of the gateway and without TLS. */
function readExample(gatewayUrl: string, port: number): string {
  const example = /```nginx\n([^`]*)```/.exec(readText('docs/deployment.md'))?.[1] ?? '';
  return example
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('http://127.0.0.1:4000', gatewayUrl);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

// CI must have nginx.
(isAvailable || process.env['CI'] ? describe : describe.skip)('the examples for nginx in docs/deployment.md and deploy', () => {
  let gateway: TestGateway;
  let folder: string;
  let url: string;
  let stopProxy: () => Promise<void>;

  beforeAll(async () => {
    gateway = await startTestGateway();
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-nginx-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
    const http = `http { access_log off; ${paths.join(' ')} ${readExample(gateway.url, port)} }`;
    writeFileSync(path.join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid; events {} ${http}`);
    const proxy = spawn('nginx', ['-e', 'stderr', '-c', path.join(folder, 'nginx.conf')], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exit = once(proxy, 'exit');
    stopProxy = async () => {
      proxy.kill();
      await exit;
    };
    await waitUntil('nginx responds', async () => (await fetch(`${url}/livez`).catch(() => null))?.ok === true);
  });
  afterAll(async () => {
    await stopProxy();
    await gateway.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(Object.entries(CLIENTS))('a subscription with %s → each result at once', async (_, subscribe) => {
    const { next, close } = subscribe(url, gateway.adminToken, { query: FEED });
    expect((await next())?.data.eventFeed.events).toEqual([]);
    const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } });
    const startedAt = performance.now();
    expect((await next())?.data.eventFeed.events).toMatchObject([{ id }]);
    // A proxy that buffers the response would hold it back until the empty page that follows after 15 seconds.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    close();
  });

  test('the metrics → not visible from outside', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  // The server in place of Unleash responds with 418, so that the status shows which server a response came from.
  describe('deploy/nginx-unleash.conf', () => {
    let unleash: Server;
    let proxyOfUnleash: Awaited<ReturnType<typeof startNginx>>;

    beforeAll(async () => {
      unleash = createHttpServer((_, response) => response.writeHead(418).end()).listen(0, '127.0.0.1');
      await once(unleash, 'listening');
      proxyOfUnleash = await startNginx(`http://127.0.0.1:${(unleash.address() as AddressInfo).port}`, gateway.url);
    });
    afterAll(async () => {
      await proxyOfUnleash.stop();
      unleash.closeAllConnections();
      unleash.close();
    });

    const get = (path: string, accept = 'application/json') =>
      fetch(proxyOfUnleash.url + path, { headers: { authorization: gateway.adminToken, accept } });

    test.each([
      ['/v1/events/feed?after=start', 200],
      ['/v1/events/counts', 200],
      ['/v1/events/export', 200],
      ['/api/admin/search/events', 200],
      ['/api/admin/search/events?groupId=1', 418],
      ['/api/admin/events/flag', 200],
      ['/api/admin/invite-link/tokens', 418],
      ['/', 418],
    ])('GET %s → %i', async (path, status) => {
      expect((await get(path)).status).toBe(status);
    });

    test.each(['application/x-ndjson', 'text/event-stream'])(
      'a stream as %s → the event arrives while it is open',
      async (accept) => {
        const reader = (await get('/v1/events/feed?after=now', accept)).body?.pipeThrough(new TextDecoderStream()).getReader();
        const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } });
        let text = '';
        while (!text.includes(`"id":${id},`)) {
          const chunk = await reader?.read();
          expect(chunk?.done).toBe(false);
          text += chunk?.value;
        }
        await reader?.cancel();
      },
    );
  });
});
