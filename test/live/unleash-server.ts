import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ADMIN_TOKEN, environmentOf, installUnleash } from './install-unleash.mjs';

const PASSWORD = 'Correct-Horse-9-Battery';

export type UnleashServer = Awaited<ReturnType<typeof startUnleash>>;

/** Starts a version of Unleash on the given database. Installs it first unless it is installed already. */
export async function startUnleash(version: string, databaseUrl: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [node = '', ...args] = installUnleash(version);
  const child = spawn(node, args, {
    env: { PATH: process.env.PATH ?? '', ...environmentOf(databaseUrl, port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('READY')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`Unleash ${version} exited with ${code}: ${output}`)));
  });

  /** Calls the API of Unleash. */
  const call = async (
    method: string,
    route: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: ADMIN_TOKEN },
  ) => {
    const response = await fetch(`${url}${route}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route} returned ${response.status}: ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything
    return { response, body: (text.startsWith('{') ? JSON.parse(text) : text) as any };
  };

  return {
    url,
    adminToken: ADMIN_TOKEN,
    call,

    /** Creates a user with the root role and a password, and a personal access token for them. */
    async createUser(email: string, rootRole: number) {
      const { body: user } = await call('POST', '/api/admin/user-admin', {
        email,
        name: email,
        rootRole,
        password: PASSWORD,
        sendEmail: false,
      });
      const { response } = await call('POST', '/auth/simple/login', { username: email, password: PASSWORD }, {});
      const cookie = response.headers
        .getSetCookie()
        .map((value) => value.split(';')[0])
        .join('; ');
      const { body: token } = await call(
        'POST',
        '/api/admin/user/tokens',
        { description: 'live test', expiresAt: inDays(30) },
        { cookie },
      );
      return {
        id: user.id as number,
        email,
        password: PASSWORD,
        /** The session cookie of the UI, in the form of the header `cookie`. */
        cookie,
        token: token.secret as string,
        revoke: () => call('DELETE', `/api/admin/user/tokens/${token.id}`, undefined, { cookie }),
      };
    },

    /** Creates a token for an application that evaluates flags. */
    async createClientToken(): Promise<string> {
      const { body } = await call('POST', '/api/admin/api-tokens', {
        tokenName: 'client',
        type: 'client',
        environment: 'development',
        projects: ['*'],
      });
      return body.secret;
    },

    /** Signs up like the page behind an invite link does. */
    signUp: (secret: string, email: string) =>
      call('POST', `/invite/${secret}/signup`, { email, name: 'New Colleague', password: PASSWORD }, {}),

    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
