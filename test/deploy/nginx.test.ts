import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readText } from './repository.js';

const NAME = 'nginx-unleash.conf';
const env = { PATH: `${process.env['PATH']}:/usr/sbin` };
const isAvailable = spawnSync('nginx', ['-v'], { env }).status === 0;
// CI must have nginx.
const withNginx = isAvailable || process.env['CI'] ? test : test.skip;

// test/live sends the requests of Unleash's own UI through it.
describe(`deploy/${NAME}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-nginx-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = (servers: string) => {
    writeFileSync(path.join(folder, NAME), servers);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
    const main = `pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')} include ${folder}/${NAME}; }`;
    writeFileSync(path.join(folder, 'nginx.conf'), main);
    return spawnSync('nginx', ['-t', '-q', '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')], { env, encoding: 'utf8' });
  };

  withNginx('is accepted by nginx; with a mistake → rejected', () => {
    const servers = readText(`deploy/${NAME}`);
    expect(check(servers)).toMatchObject({ status: 0, stderr: '' });
    expect(check(servers.replace('proxy_pass', 'proxy_past')).status).toBe(1);
  });
});
