import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUp } from '../../bench/cleanup.mjs';
import { parseConfig } from '../../src/config.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { startGateway } from '../../src/gateway.js';
import { expectSentence, expectWrongVariables } from '../support/expect-sentence.js';
import { runCommand } from '../support/run-command.js';
import { isPostgres } from '../support/test-database.js';
import { startTlsServer, type TlsServer } from '../support/tls-server.js';

const onPostgres = isPostgres ? test : test.skip;

let server: TlsServer;
beforeAll(async () => {
  if (isPostgres) server = await startTlsServer();
});
afterAll(() => cleanUp());

const withDatabase = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase(parseConfig({ DATABASE_URL: url }).database);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
const isEncrypted = (url: string) =>
  withDatabase(url, async ({ read }) => {
    const rows = await read<{ ssl: boolean }>({ text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', values: [] });
    return rows[0]?.ssl;
  });
const migrate = (url: string) => runCommand({ DATABASE_URL: url }, ['migrate']);

/** The parameters of a URL, and the sentence that `migrate` ends with; null if it succeeds. */
type Case = [sslmode: string, parameters: (files: TlsServer) => string, host: string, sentence: RegExp | null];

const untrusted =
  /^The gateway does not trust the certificate of the server at \S+\. Add sslrootcert=<file> .* or sslmode=no-verify /;
const otherHost =
  /^The server's certificate is not for the host 127\.0\.0\.1\. Write a host that the certificate names into DATABASE_URL /;
const trusted = ({ authority }: TlsServer) => `&sslrootcert=${authority}`;
const distrusted = ({ otherAuthority }: TlsServer) => `&sslrootcert=${otherAuthority}`;
const none = () => '';

onPostgres.each<Case>([
  ...['prefer', 'require', 'verify-ca', 'verify-full'].flatMap((mode): Case[] => [
    [mode, none, 'localhost', untrusted],
    [mode, trusted, '127.0.0.1', otherHost],
    [mode, trusted, 'localhost', null],
  ]),
  ['verify-full', distrusted, 'localhost', untrusted],
  ['verify-full', () => '&sslrootcert=system', 'localhost', untrusted],
  ['no-verify', none, '127.0.0.1', null],
  ['require', () => '&uselibpqcompat=true', '127.0.0.1', null],
  ['require', (files) => `${distrusted(files)}&uselibpqcompat=true`, '127.0.0.1', untrusted],
  ['verify-ca', (files) => `${trusted(files)}&uselibpqcompat=true`, '127.0.0.1', null],
  ['verify-ca', (files) => `${distrusted(files)}&uselibpqcompat=true`, '127.0.0.1', untrusted],
])('sslmode=%s (%#) → an encrypted connection, or a sentence', async (mode, parameters, host, sentence) => {
  const url = server.urlOf('encrypted', `sslmode=${mode}${parameters(server)}`, host);
  if (sentence) expectSentence(await migrate(url), sentence);
  else expect(await isEncrypted(url)).toBe(true);
});

onPostgres('sslmode=require → no warning of the driver', async () => {
  const result = await migrate(server.urlOf('encrypted', `sslmode=require${trusted(server)}`));
  expect(result).toMatchObject({ code: 0, stderr: '' });
});

onPostgres.each([[''], ['sslmode=disable']])('"%s" and a server that allows both → no encryption', async (query) => {
  expect(await isEncrypted(server.urlOf('bench', query))).toBe(false);
});

onPostgres.each([[''], ['sslmode=disable']])('"%s" and a server that wants TLS → a sentence', async (query) => {
  const rule =
    /^The server at localhost:\d+ has no rule .* user encrypted connect without TLS\. Add sslmode=verify-full to DATABASE_URL /;
  expectSentence(await migrate(server.urlOf('encrypted', query)), rule);
});

onPostgres('sslmode=require and a server without TLS → a sentence', async () => {
  const url = `${process.env.TEST_DATABASE_URL}?sslmode=require`;
  expectSentence(
    await migrate(url),
    /^The server at \S+ offers no TLS, and DATABASE_URL requires it\. .* set sslmode=disable\.$/m,
  );
});

onPostgres('a server that wants a client certificate → a sentence without one, a connection with it', async () => {
  const query = `sslmode=verify-full&sslrootcert=${server.authority}`;
  const rule = /^The server at \S+ requires a client certificate for the user certified\. .* sslcert=<file>&sslkey=<file>\.$/m;
  expectSentence(await migrate(server.urlOf('certified', query)), rule);
  expect(await isEncrypted(server.urlOf('certified', `${query}&sslcert=${server.certificate}&sslkey=${server.key}`))).toBe(true);
});

onPostgres.each<[string, (files: TlsServer) => string, RegExp]>([
  [
    'a missing file',
    () => 'sslrootcert=/missing.crt',
    /^ {2}DATABASE_URL names a file in sslrootcert that does not exist or cannot be read: \/missing\.crt$/,
  ],
  ['a folder', () => 'sslrootcert=/', /^ {2}DATABASE_URL names a file in sslrootcert that does not exist or cannot be read: \/$/],
  [
    'a key in place of a certificate',
    ({ key }) => `sslrootcert=${key}`,
    /a file in sslrootcert that must contain a certificate in PEM form: /,
  ],
  ['no key', ({ certificate }) => `sslcert=${certificate}`, /DATABASE_URL must have both sslcert and sslkey, or neither$/],
  [
    'a certificate in place of a key',
    ({ certificate }) => `sslcert=${certificate}&sslkey=${certificate}`,
    /a file in sslkey that must contain a private key in PEM form without a passphrase: /,
  ],
  [
    'the key of another certificate',
    ({ authority, key }) => `sslcert=${authority}&sslkey=${key}`,
    /DATABASE_URL must have an sslkey that belongs to the certificate in sslcert$/,
  ],
])('%s → a sentence that names the parameter', async (_, parameters, rule) => {
  expectWrongVariables(await migrate(server.urlOf('certified', `sslmode=verify-full&${parameters(server)}`)), [rule]);
});

onPostgres('a wrong or missing password → a sentence without the password', async () => {
  const result = await migrate(server.urlOf('secretive:wrong'));
  expectSentence(
    result,
    'PostgreSQL rejects the user secretive: password authentication failed for user "secretive". Correct the user and the password in DATABASE_URL.',
  );
  expectSentence(
    await migrate(server.urlOf('secretive')),
    /requires a password for the user secretive\. Add it to DATABASE_URL: /,
  );
});

onPostgres('a gateway that connects with TLS only → serves, and cancels the query of a client that disconnects', async () => {
  const url = server.urlOf('encrypted', `sslmode=verify-full&sslrootcert=${server.authority}`);
  const gateway = await startGateway(parseConfig({ DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent', GRAPHIQL: 'false' }));
  try {
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    const sleep = { text: 'SELECT pg_sleep(100)', values: [] };
    await expect(gateway.database.read(sleep, { signal: AbortSignal.timeout(300) })).rejects.toThrow('closed the request');
  } finally {
    await gateway.stop();
  }
});
