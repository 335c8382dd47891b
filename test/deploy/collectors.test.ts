import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createProgram } from '../../src/cli/program.js';
import { readText } from './repository.js';

const FOLDER = 'deploy/collectors';
const files = readdirSync(new URL(`../../${FOLDER}`, import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.includes('.'),
);
const operations = JSON.parse(readText('openapi.json')).paths;
const feed = createProgram().commands.find((command) => command.name() === 'feed');
const options = feed?.options.map(({ long }) => long) ?? [];

// `npm run test:collectors` runs those of the collectors that Debian has.
describe(FOLDER, () => {
  test.each(files.filter((name) => /\.ya?ml$/.test(name)))('%s is YAML', (name) => {
    expect(parse(readText(`${FOLDER}/${name}`))).toEqual(expect.any(Object));
  });

  test.each(files)('%s → the feed, by its path or by the options of the command', (name) => {
    const text = readText(`${FOLDER}/${name}`).replaceAll(/^\s*#.*$/gm, '');
    const [, path] = /https:\/\/gateway\.example\.com(\/[\w/]+)/.exec(text) ?? [];
    if (path !== undefined) expect(operations).toHaveProperty([path, 'get']);
    const [, command] = /flag-admin-gateway\s+(?:- )?feed\b(.*?)(?:>>|\n\n|streaming:|"\n|parser:|$)/s.exec(text) ?? [];
    const used = command?.match(/--[a-z-]+/g) ?? [];
    expect(used.filter((option) => !options.includes(option))).toEqual([]);
    if (command !== undefined) expect(used).toEqual(expect.arrayContaining(['--from', '--token-file', '--state']));
    const runsCommand = /vector|fluent-bit|syslog-ng|flag-feed\.sh/.test(name);
    expect([path !== undefined, command !== undefined]).toEqual([/filebeat|helr/.test(name), runsCommand]);
  });

  test('parameters of pages are those of the feed', () => {
    const known = operations['/v1/events/feed'].get.parameters.map(({ name }: { name: string }) => name);
    const helr = parse(readText(`${FOLDER}/helr.yaml`)).sources['flag-events'];
    const [httpjson] = parse(readText(`${FOLDER}/filebeat-httpjson.yml`))['filebeat.inputs'];
    const [cel] = parse(readText(`${FOLDER}/filebeat-cel.yml`))['filebeat.inputs'];
    const targets = httpjson['request.transforms'].map(
      ({ set }: { set: { target: string } }) => /^url\.params\.(\w+)$/.exec(set.target)?.[1] ?? 'after',
    );
    const named = [...cel.program.matchAll(/"(\w+)": \["?\w/g)].map(([, name]) => name);
    const used = [...Object.keys(helr.query_params), ...targets, 'limit', ...named.filter((name) => name !== 'Authorization')];
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('docs/collectors.md names each file', () => {
    const docs = readText('docs/collectors.md');
    for (const name of files) expect(docs).toContain(name.startsWith('splunk/') ? 'splunk/' : name);
  });
});
