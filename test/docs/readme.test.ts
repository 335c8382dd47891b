import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importSampleLog } from '../../src/demo/import-sample-log.js';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const readme = readFileSync('README.md', 'utf8');
const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'));

/** The code blocks of a language, without the indentation of a list. */
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\``, 'gms'))].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

const shellBlocks = pages.flatMap((page) => blocksOf(readFileSync(page, 'utf8'), 'sh').map((block) => [page, block] as const));

describe('blocks for a shell', () => {
  test.each(shellBlocks)('%s: no comment, no backtick: %j', (_, block) => {
    // An interactive zsh takes a comment for arguments, and runs what is in backticks.
    expect(block).not.toMatch(/(^|\s)#|`/);
  });

  const shells = [
    ['bash', '-n'],
    ['zsh', '-f', '-i', '-n'],
  ].filter(([program = '']) => spawnSync(program, ['--version']).status === 0);

  // One shell starts all the others, because starting a process from Jest's large process takes long.
  const parseEach = 'for file in "$0"/*; do "$@" < "$file" 2> "$file.stderr"; echo $? > "$file.status"; done';

  test.each(shells)('%s parses each of them', (program, ...options) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'shell-blocks-'));
    try {
      for (const [index, [, block]] of shellBlocks.entries()) writeFileSync(path.join(folder, String(index)), block);
      spawnSync('sh', ['-c', parseEach, folder, program, ...options]);
      for (const [index, [page, block]] of shellBlocks.entries()) {
        const [status, stderr] = ['status', 'stderr'].map((kind) => readFileSync(path.join(folder, `${index}.${kind}`), 'utf8'));
        expect({ page, block, status, stderr }).toMatchObject({
          status: '0\n',
          stderr: expect.not.stringContaining(`${program}:`),
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('the README has at most 120 lines and names only the commands of a first visit', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  const named = new Set(readme.match(/\bnpm (ci|cit|start|test|install|run( -s)? \S+?)(?=[`\s])( && npm (start|run demo))?/g));
  expect([...named].sort()).toEqual([
    'npm ci && npm run demo',
    'npm ci && npm start',
    'npm cit',
    'npm run -s gateway',
    'npm run bench',
    'npm run demo',
  ]);
});

test('the README names the number of event types in the enum', () => {
  expect(readme).toContain(`${EVENT_TYPES.length} event types`);
});

describe('requests of the README to a gateway with the sample log', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty');
    await importSampleLog(gateway.database);
  });
  afterAll(() => gateway.stop());

  const curls = blocksOf(readme, 'sh').filter((block) => block.startsWith('curl'));
  test.each(curls)('%j → a response with data', async (block) => {
    const script = `set -euo pipefail; ${block.replaceAll('http://127.0.0.1:4000', gateway.url).replaceAll('curl ', 'curl -sS --fail-with-body ')}`;
    const env = { PATH: process.env['PATH'], TOKEN: gateway.adminToken };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    const body = JSON.parse(stdout);
    expect(body.errors).toBeUndefined();
    const events = body.events ?? body.data?.events.nodes;
    if (events === undefined) expect(body.url).toMatch(/\/new-user\?invite=/);
    else expect(events.length).toBeGreaterThan(0);
  });

  test.each(blocksOf(readme, 'graphql'))('%j → data', async (document) => {
    const { body } = await gateway.graphql(document);
    expect(body.errors).toBeUndefined();
    const [result] = Object.values(body.data as Record<string, { nodes?: unknown[]; url?: string }>);
    if (result?.nodes === undefined) expect(result?.url).toMatch(/invite=/);
    else expect(result.nodes.length).toBeGreaterThan(0);
  });
});
