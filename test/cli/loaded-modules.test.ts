import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);

/** Writes the URL of each loaded module to standard error. */
const HOOK = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(2, url + '\\n');
    return next(url, context);
  }`;
const toUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const REGISTER = toUrl(`import { register } from 'node:module'; register(${JSON.stringify(toUrl(HOOK))});`);

test('--help loads none of the large packages of GraphQL and HTTP, because they take long to load', async () => {
  const { stderr } = await run(process.execPath, ['--import', REGISTER, 'dist/main.js', '--help']);
  const packages = [...stderr.matchAll(/\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)].map(([, name]) => name);
  expect(packages).toContain('commander');
  for (const name of ['@apollo/server', '@sinclair/typebox', 'fastify', 'graphql', 'graphql-scalars', 'type-graphql'])
    expect(packages).not.toContain(name);
});
