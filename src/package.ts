import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly description: string;
}

/** The version and the description in package.json. Every other module imports them from this file. */
export const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Package;
