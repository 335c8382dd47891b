import { readFileSync } from 'node:fs';
import { OperatorError } from './errors.js';

/** Says why the file of a secret cannot be used. */
export class SecretFileError extends OperatorError {}

/** The variables that contain secrets. Instead of `NAME`, the variable `NAME_FILE` can name a file that contains the secret. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'INIT_ADMIN_API_TOKENS',
  'MIRROR_TOKEN',
] as const;

type Secret = (typeof SECRETS)[number];

/**
 * Returns the environment with the secrets that files contain, without the last line break of each file. Containers and systemd
 * pass secrets as files, because lists of processes and dumps of the environment do not show the contents of files.
 * @throws SecretFileError that names the variable, and never a part of a secret
 */
export function readSecretFiles(env: NodeJS.ProcessEnv, names: readonly Secret[]): NodeJS.ProcessEnv {
  const read = names.flatMap((name) => {
    const file = env[`${name}_FILE`];
    if (!file) return [];
    if (env[name]) throw new SecretFileError(`Set ${name} or ${name}_FILE, not both.`);
    return [[name, readSecretFile(`${name}_FILE`, file)] as const];
  });
  return { ...env, ...Object.fromEntries(read) };
}

/**
 * Returns the text of a file, without its last line break.
 * @param source the variable or option that names the file
 * @throws SecretFileError that names the file and its source
 */
export function readSecretFile(source: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SecretFileError(
      `The file ${file} in ${source} cannot be read (${code ?? 'unknown error'}). Correct its path or its access rights.`,
      {
        cause,
      },
    );
  }
}
