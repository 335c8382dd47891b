import { isIPv6 } from 'node:net';
import pg from 'pg';
import { OperatorError } from '../errors.js';
import { codeOf, messageOf } from './error-causes.js';

/**
 * Says why the gateway cannot connect to PostgreSQL, and what to do. operator-message.ts and missing-rights.ts explain errors on an
 * open connection.
 */
export class ConnectError extends OperatorError {}

/** The parts of a server's URL except the password. `variable` is the environment variable that contains the URL. */
interface Server {
  readonly variable: string;
  readonly host: string;
  /** The host and the port, or the path of a Unix socket. */
  readonly address: string;
  readonly user: string;
  readonly database: string;
}

type Sentence = (server: Server, message: string) => string;

const SILENT: Sentence = ({ address, variable }) =>
  `The server at ${address} does not respond. Check the host and the port in ${variable}, and the firewalls between.`;

const UNTRUSTED: Sentence = ({ address, variable }) =>
  `The gateway does not trust the certificate of the server at ${address}. Add sslrootcert=<file> with the certificate of its authority to ${variable}, or sslmode=no-verify to encrypt without a check (docs/postgresql.md).`;

/** Sentences by a pattern of the driver's message, for errors without a code and errors whose code has several causes. */
const BY_MESSAGE: readonly (readonly [RegExp, Sentence])[] = [
  [
    /server does not support SSL/,
    ({ address, variable }) =>
      `The server at ${address} offers no TLS, and ${variable} requires it. Enable TLS on the server, or set sslmode=disable.`,
  ],
  [
    /no encryption|SSL off/,
    ({ address, user, variable }) =>
      `The server at ${address} has no rule in its pg_hba.conf that lets the user ${user} connect without TLS. Add sslmode=verify-full to ${variable} (docs/postgresql.md), or such a rule.`,
  ],
  [
    /SSL connection is required|connection is insecure/i,
    ({ address, variable }) =>
      `The server at ${address} requires TLS. Add sslmode=verify-full to ${variable} (docs/postgresql.md).`,
  ],
  [
    /requires a valid client certificate|certificate authentication failed/,
    ({ address, user, variable }) =>
      `The server at ${address} requires a client certificate for the user ${user}. Name its files in ${variable}: sslcert=<file>&sslkey=<file>.`,
  ],
  [
    /no pg_hba\.conf entry/,
    ({ address, user, database }) =>
      `The server at ${address} has no rule in its pg_hba.conf that lets the user ${user} connect to the database ${database} from this machine. Add one, and reload the server.`,
  ],
  [
    /client password must be/,
    ({ address, user, variable }) =>
      `The server at ${address} requires a password for the user ${user}. Add it to ${variable}: postgresql://${user}:password@…`,
  ],
  [
    /unsupported startup parameter/,
    ({ address }) =>
      `The pooler at ${address} rejects the settings of a connection. Set DATABASE_DIRECT_URL to the URL of the PostgreSQL server behind it (docs/scaling.md).`,
  ],
  [
    /no such database/,
    ({ address, database, variable }) =>
      `The pooler at ${address} does not know the database ${database}. Correct its name in ${variable}, or add it to the pooler.`,
  ],
  [/timeout expired|timeout exceeded|connection timeout/, SILENT],
  [
    /Connection terminated|error establishing an SSL|Unknown authenticationOk|Received unexpected/,
    ({ address, variable }) =>
      `The server at ${address} closed the connection during its start. Check that ${variable} names the port of PostgreSQL, and read the server's log.`,
  ],
];

const NOT_LISTENING: Sentence = ({ address, variable }) =>
  `Nothing listens at ${address}. Start PostgreSQL, or correct the host and the port in ${variable}.`;

const UNKNOWN_HOST: Sentence = ({ host, variable }) =>
  `The host ${host} is unknown. Correct its name in ${variable}, or check the name server of this machine.`;

const ROLE_OR_PASSWORD: Sentence = ({ user, variable }, message) =>
  `PostgreSQL rejects the user ${user}: ${message}. Correct the user and the password in ${variable}.`;

/** Sentences by the code of the operating system, of PostgreSQL (SQLSTATE) or of TLS. */
const BY_CODE: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: NOT_LISTENING,
  ENOENT: NOT_LISTENING,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  EACCES: ({ address }) => `This user may not open the socket ${address}. Run the gateway as a user with that right.`,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host, variable }) =>
    `The server's certificate is not for the host ${host}. Write a host that the certificate names into ${variable} (docs/postgresql.md).`,
  CERT_HAS_EXPIRED: ({ address }) => `The certificate of the server at ${address} has expired. Renew it on the server.`,
  '28P01': ROLE_OR_PASSWORD,
  '28000': ROLE_OR_PASSWORD,
  '3D000': ({ address, database, variable }) =>
    `The server at ${address} has no database ${database}. Create it (CREATE DATABASE ${pg.escapeIdentifier(database)} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0), or correct its name in ${variable}.`,
  '42501': ({ user, database }) =>
    `The user ${user} may not connect to the database ${database}. Its owner can allow that: GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(user)}`,
  '53300': ({ address }) =>
    `The server at ${address} has no free connection. Lower DATABASE_POOL_SIZE, or raise max_connections on the server.`,
  '57P03': ({ address }) => `The server at ${address} is starting or stopping. Try again in a moment.`,
};

/** Matches the codes of failed TLS handshakes, such as ERR_SSL_TLSV1_ALERT_UNKNOWN_CA. */
const TLS_CODE = /^(ERR_SSL_|EPROTO)/;

const TLS_FAILED: Sentence = ({ address, variable }, message) =>
  `TLS with the server at ${address} failed (${message}). Check the server's TLS settings, and sslcert and sslkey in ${variable}.`;

const REJECTED: Sentence = ({ address, variable }, message) =>
  `The server at ${address}, which ${variable} names, rejects the gateway: ${message}`;

/** Returns an error that says why connecting to `url` failed. The environment variable `variable` contains `url`. */
export function toConnectError(cause: unknown, url: string, variable: string): OperatorError {
  if (cause instanceof OperatorError) return cause;
  // Node.js tries each address of a host and lists all failures. The sentence explains the first one.
  const error: unknown = (cause as Partial<AggregateError>).errors?.[0] ?? cause;
  const message = messageOf(error);
  const code = codeOf(error);
  const byMessage = BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
  const sentence = byMessage ?? BY_CODE[code] ?? (TLS_CODE.test(code) ? TLS_FAILED : REJECTED);
  return new ConnectError(sentence(describeServer(url, variable), TLS_CODE.test(code) ? code : message), { cause });
}

function describeServer(url: string, variable: string): Server {
  const { host, port, user, database } = new pg.Client({ connectionString: url });
  const address = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return { variable, host, address, user: user ?? '', database: database ?? '' };
}
