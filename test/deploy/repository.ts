import { readFileSync } from 'node:fs';

const REPOSITORY = new URL('../../', import.meta.url);

/** The text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(new URL(path, REPOSITORY), 'utf8');
}

export function readPackage(): {
  readonly version: string;
  readonly files: readonly string[];
  readonly engines: { readonly node: string };
} {
  return JSON.parse(readText('package.json'));
}

/** How long a gateway takes at most to end, after STOP_DELAY_MS. */
export const STOPS_WITHIN_SECONDS = 10;

/** Variables of Node.js itself. */
const OF_NODE = ['NODE_ENV', 'NODE_OPTIONS'];

/** Those that the gateway does not read, as a wrong name would be. */
export function unknownVariables(names: readonly string[]): string[] {
  const documented = readText('README.md');
  return names.filter((name) => !OF_NODE.includes(name) && !documented.includes(`\`${name}\``));
}
