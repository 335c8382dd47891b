import { InvalidArgumentError } from 'commander';
import { isToken } from '../auth/secret.js';
import { BASE_URL_RULE, parseBaseUrl } from '../formats/base-url.js';
import { readSecretFile } from '../secret-files.js';
import { UsageError } from './report-failure.js';

/** Parses an option whose value is the URL of a server. */
export function parseUrl(text: string): string {
  const url = parseBaseUrl(text);
  if (url === null) throw new InvalidArgumentError(`It ${BASE_URL_RULE}.`);
  return url;
}

/** Reads the API token from the file of --token-file. Blanks around the token are not part of it. */
export function readTokenFile(file: string): string {
  const token = readSecretFile('--token-file', file).trim();
  if (!isToken(token)) throw new UsageError(`The file ${file} in --token-file must contain one API token, in visible ASCII.`);
  return token;
}
