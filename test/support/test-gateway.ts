import { type ApiTokenRequest, createApiTokenService } from '../../src/auth/api-token.service.js';
import { createApiTokenStore } from '../../src/auth/api-token.store.js';
import { parseConfig } from '../../src/config.js';
import { type GatewayOptions, startGateway } from '../../src/gateway.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { type Answer, type RawRequest, sendRaw } from './send-raw.js';
import { createTestDatabase } from './test-database.js';

/** By default, a GET with the admin's token. */
export type RequestOptions = Partial<RawRequest>;

/** A shorter secret can be in the log by chance. */
const SHORTEST_SECRET = 8;

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** A whole gateway on a database of its own, which listens on a free port; `stop` ends both. */
export async function startTestGateway(
  content: 'empty' | 'log' = 'empty',
  env: Readonly<Record<string, string>> = {},
  options: Pick<GatewayOptions, 'readMirrorEveryMs'> = {},
) {
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
    ...options,
  });
  const tokens = createApiTokenService(createApiTokenStore(gateway.database));
  const adminToken = await tokens.create({ name: 'test admin', role: 'ADMIN', projects: 'all', expiresAt: null });
  const viewerToken = await tokens.create({ name: 'test viewer', role: 'VIEWER', projects: 'all', expiresAt: null });

  const secrets = new Set([adminToken, viewerToken]);

  const send = (path: string, options: RequestOptions = {}): Promise<Answer> => {
    const request = { method: 'GET', token: adminToken, ...options };
    if (request.token !== null) secrets.add(request.token);
    return sendRaw(gateway.url, path, request);
  };

  /** Throws if the log contains a token that was sent or created here, or the secret of an invitation. */
  const refuseSecretsInLog = async () => {
    const links = await gateway.database.prisma.publicSignupToken.findMany({ select: { secret: true } });
    for (const { secret } of links) secrets.add(secret);
    const text = log.join('');
    const found = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET && text.includes(secret));
    if (found.length > 0) throw new Error(`The log of the gateway has ${found.length} secrets in it, such as ${found[0]}.`);
  };

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    try {
      await refuseSecretsInLog();
    } finally {
      await gateway.stop();
      await database.drop();
    }
  };

  return {
    url: gateway.url,
    /** The environment by which another process finds the same database. */
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
    /** Can be called again. */
    stop: (): Promise<void> => (stopping ??= stop()),
  };
}
