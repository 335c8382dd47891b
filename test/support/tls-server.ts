import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from '../../bench/cleanup.mjs';
import { startPostgres, withClient } from '../../bench/postgres.mjs';

export interface TlsServer {
  /** Returns the URL of the database `gateway` for a user, with a query such as `sslmode=require`. */
  urlOf(user: string, query?: string, host?: string): string;
  /** The certificate of the authority that signed the server's certificate. */
  readonly authority: string;
  /** The certificate of an authority that signed nothing here. */
  readonly otherAuthority: string;
  /** A client certificate for the user `certified`, and its key. */
  readonly certificate: string;
  readonly key: string;
}

/** `encrypted` may connect with TLS only, `certified` with a client certificate only, and `secretive` with a password. */
const HBA = `
  host    all bench     127.0.0.1/32 trust
  hostssl all encrypted 127.0.0.1/32 trust
  hostssl all certified 127.0.0.1/32 cert
  host    all secretive 127.0.0.1/32 scram-sha-256
`;

/**
 * Starts a PostgreSQL server with TLS. Its certificate is for `localhost` and not for 127.0.0.1. `cleanUp` of bench/cleanup.mjs
 * stops the server and removes the files.
 */
export async function startTlsServer(): Promise<TlsServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-tls-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'rsa:2048', '-nodes', '-subj'];
  const sign = (name: string, subject: string, extension: string) => {
    openssl('req', ...newKey, subject, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(at(`${name}.ext`), extension);
    const by = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`, '-days', '2');
  };
  for (const name of ['authority', 'other'])
    openssl('req', '-x509', ...newKey, `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-days', '2');
  sign('server', '/CN=localhost', 'subjectAltName=DNS:localhost');
  sign('certified', '/CN=certified', 'extendedKeyUsage=clientAuth');
  writeFileSync(at('hba.conf'), HBA);
  // The server runs as another user if the tests run as root, and rejects a key that others can read.
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', at('server.key'), at('hba.conf')]);

  const settings = {
    ssl: 'on',
    ssl_cert_file: at('server.crt'),
    ssl_key_file: at('server.key'),
    ssl_ca_file: at('authority.crt'),
  };
  const server = await startPostgres([], { ...settings, hba_file: at('hba.conf'), fsync: 'off' });
  const admin = await server.createDatabase('gateway');
  await withClient(admin, async (client) => {
    await client.query(`CREATE ROLE encrypted LOGIN; CREATE ROLE certified LOGIN; CREATE ROLE secretive LOGIN PASSWORD 'right'`);
    await client.query('GRANT CREATE ON DATABASE gateway TO PUBLIC; GRANT CREATE ON SCHEMA public TO encrypted');
  });
  return {
    urlOf: (user, query = '', host = 'localhost') => {
      const url = new URL(admin);
      url.host = `${host}:${server.port}`;
      url.search = query;
      return url.href.replace('//bench@', `//${user}@`);
    },
    authority: at('authority.crt'),
    otherAuthority: at('other.crt'),
    certificate: at('certified.crt'),
    key: at('certified.key'),
  };
}
