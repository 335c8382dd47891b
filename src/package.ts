import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly description: string;
}

/** The version and the description in package.json. Every other place takes them from here. */
export const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Package;
