import { readFileSync } from 'node:fs';

const REPOSITORY = new URL('../../', import.meta.url);

/** Returns the text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(new URL(path, REPOSITORY), 'utf8');
}

export function readPackage(): {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly files: readonly string[];
  readonly engines: { readonly node: string };
} {
  return JSON.parse(readText('package.json'));
}

/** The longest time that a gateway takes to stop, after STOP_DELAY_MS. */
export const STOPS_WITHIN_SECONDS = 10;

/** Variables that Node.js reads. */
const NODE_VARIABLES = ['NODE_ENV', 'NODE_OPTIONS'];

/** Returns the variables that are not documented, such as misspelled ones. */
export function unknownVariables(names: readonly string[]): string[] {
  const documented = readText('docs/configuration.md');
  return names.filter((name) => !NODE_VARIABLES.includes(name) && !documented.includes(`\`${name}\``));
}
