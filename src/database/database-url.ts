import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const URL_RULE =
  'must be a URL such as postgresql://user:password@host:5432/database. In the password, write @ as %40, / as %2F, # as %23, ? as %3F, % as %25';

/** The values of `sslmode` that the driver knows. It treats an unknown value like `verify-full`. */
const SSL_MODES: readonly string[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The driver treats these values of `sslmode` like `verify-full`. It warns that its next version will treat them differently. */
const VERIFYING_MODES: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

/** The URL for the driver, or the problem with the text. A problem continues a sentence that begins with the variable's name. */
type ParsedUrl = { readonly url: string } | { readonly problem: string };

/**
 * Checks the URL of a PostgreSQL server, its parameters, and the files that they name (docs/postgresql.md). The URL can contain a
 * password. A problem therefore contains no part of the URL except the path of a file.
 */
export function parseDatabaseUrl(given: string): ParsedUrl {
  const text = given.trim();
  if (!URL.canParse(text)) return { problem: URL_RULE };
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(url) || isCutOff(url)) return { problem: URL_RULE };
  const parameters = url.searchParams;
  const problem = findProblem(parameters);
  if (problem !== null) return { problem };

  const before = parameters.toString();
  // The driver does not use Prisma's parameter `schema`.
  parameters.delete('schema');
  const isSystem = parameters.get('sslrootcert') === 'system';
  // libpq takes `system` as the system's authorities, but the driver as a file. Without sslrootcert, Node.js uses its own list.
  if (isSystem) parameters.delete('sslrootcert');
  const isVerifying = VERIFYING_MODES.has(parameters.get('sslmode') ?? '') && parameters.get('uselibpqcompat') !== 'true';
  if (isSystem || isVerifying) parameters.set('sslmode', 'verify-full');
  return { url: parameters.toString() === before ? text : url.href };
}

/**
 * Whether an unencoded `/`, `?` or `#` in the password has ended the authority of the URL too early. The user or a part of the
 * password is then parsed as the host.
 */
function isCutOff({ pathname, search, hash }: URL): boolean {
  return hash !== '' || pathname.includes('@') || (pathname.length <= 1 && search.includes('@'));
}

/** Whether each `%` begins an encoded character, as the driver requires. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}${pathname}`);
    return true;
  } catch {
    return false;
  }
}

function findProblem(parameters: URLSearchParams): string | null {
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return `has an unknown sslmode. Use one of ${SSL_MODES.join(', ')}`;
  if (!['public', null].includes(parameters.get('schema'))) {
    return 'has a schema other than public. Name the schema by options=-c%20search_path%3Dname instead of schema=name';
  }
  return findFileProblem(parameters);
}

/** The parameters that name files, and what each file must contain. */
const FILES = {
  sslrootcert: { content: 'a certificate in PEM form', parse: (text: Buffer) => new X509Certificate(text) },
  sslcert: { content: 'a certificate in PEM form', parse: (text: Buffer) => new X509Certificate(text) },
  sslkey: { content: 'a private key in PEM form without a passphrase', parse: (text: Buffer) => createPrivateKey(text) },
} as const;

function findFileProblem(parameters: URLSearchParams): string | null {
  for (const [parameter, { content, parse }] of Object.entries(FILES)) {
    const file = parameters.get(parameter);
    if (!file || (parameter === 'sslrootcert' && file === 'system')) continue;
    const text = readIfPossible(file);
    if (text === null) return `names a file in ${parameter} that does not exist or cannot be read: ${file}`;
    try {
      parse(text);
    } catch {
      return `names a file in ${parameter} that must contain ${content}: ${file}`;
    }
  }
  return findPairProblem(parameters.get('sslcert'), parameters.get('sslkey'));
}

function findPairProblem(certificateFile: string | null, keyFile: string | null): string | null {
  if (!certificateFile && !keyFile) return null;
  if (!certificateFile || !keyFile) return 'must have both sslcert and sslkey, or neither';
  const certificate = new X509Certificate(readFileSync(certificateFile));
  const belongs = certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
  return belongs ? null : 'must have an sslkey that belongs to the certificate in sslcert';
}

function readIfPossible(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
