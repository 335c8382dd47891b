import { request as httpRequest } from 'node:http';
import { type ApiTokenRequest, createApiTokenService } from '../../src/auth/api-token.service.js';
import { createApiTokenStore } from '../../src/auth/api-token.store.js';
import { parseConfig } from '../../src/config.js';
import { startGateway } from '../../src/gateway.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { createTestDatabase } from './test-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the gateway sent; tests look into it
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  /** An API token; null for none. The admin's by default. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What is shorter may be in any text. */
const SHORTEST_SECRET = 8;

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** A whole gateway on a database of its own, which listens on a free port; `stop` ends both. */
export async function startTestGateway(content: 'empty' | 'log' = 'empty', env: Readonly<Record<string, string>> = {}) {
  const database = await createTestDatabase(content);
  const log: string[] = [];
  const config = parseConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    GRAPHIQL: 'false',
    FAILED_LOGINS_PER_MINUTE: '0',
    ...database.env,
    ...env,
  });
  const gateway = await startGateway(config, {
    logDestination: { write: (line) => void log.push(line) },
    // Otherwise nearly everything here would run interpreted, as it is sent once.
    compiling: { atRun: 1, everyMs: 0 },
  });
  const tokens = createApiTokenService(createApiTokenStore(gateway.database));
  const adminToken = await tokens.create({ name: 'test admin', role: 'ADMIN', projects: 'all', expiresAt: null });
  const viewerToken = await tokens.create({ name: 'test viewer', role: 'VIEWER', projects: 'all', expiresAt: null });

  const secrets = new Set([adminToken, viewerToken]);

  /** Sends the path as it is: `fetch` would resolve dots in it. */
  const send = (
    path: string,
    { method = 'GET', token = adminToken, headers = {}, body }: RequestOptions = {},
  ): Promise<Answer> => {
    if (token !== null) secrets.add(token);
    return sendRaw(gateway.url, path, { method, headers: { ...(token !== null && { authorization: token }), ...headers } }, body);
  };

  /** Of all that was sent, created or answered here, nothing secret is in the log. */
  const refuseSecretsInLog = async () => {
    const links = await gateway.database.prisma.publicSignupToken.findMany({ select: { secret: true } });
    for (const { secret } of links) secrets.add(secret);
    const text = log.join('');
    const found = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET && text.includes(secret));
    if (found.length > 0) throw new Error(`The log of the gateway has ${found.length} secrets in it, such as ${found[0]}.`);
  };

  return {
    url: gateway.url,
    /** By which another process finds the same database. */
    databaseEnv: database.env,
    database: gateway.database,
    prisma: gateway.database.prisma as PrismaClient,
    firstAdminToken: gateway.firstAdminToken,
    adminToken,
    viewerToken,
    /** Every line of the gateway's log so far. */
    log,
    send,
    async createToken(request: Partial<ApiTokenRequest>): Promise<string> {
      const secret = await tokens.create({ name: 'another', role: 'VIEWER', projects: 'all', expiresAt: null, ...request });
      secrets.add(secret);
      return secret;
    },
    postJson: (path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> =>
      send(path, {
        method: 'POST',
        body: JSON.stringify(body),
        ...options,
        headers: { 'content-type': 'application/json', ...options.headers },
      }),
    graphql: (query: string, variables: object = {}, options: RequestOptions = {}): Promise<Answer> =>
      send('/graphql', {
        method: 'POST',
        body: JSON.stringify({ query, variables }),
        ...options,
        headers: { 'content-type': 'application/json', ...options.headers },
      }),
    async stop(): Promise<void> {
      try {
        await refuseSecretsInLog();
      } finally {
        await gateway.stop();
        await database.drop();
      }
    },
  };
}

function sendRaw(
  url: string,
  path: string,
  options: { method: string; headers: Readonly<Record<string, string>> },
  body: string | Buffer | undefined,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, ...options }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const isJson = response.headers['content-type']?.includes('json') === true && text !== '';
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that was kept may be closed at the moment it is used again; the client of HTTP then sends the request anew.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) sendRaw(url, path, options, body).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });
}
