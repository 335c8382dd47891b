import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { readSecretFiles } from '../../src/secret-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'gateway-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(folder, String(text.length));
  writeFileSync(file, text);
  return file;
}

test('a file with a secret → the value of the variable, without its last line break', () => {
  const env = {
    DATABASE_URL_FILE: fileWith('postgresql://user:pass@db.example.com/gateway\n'),
    INIT_ADMIN_API_TOKENS_FILE: fileWith('one,two\r\n'),
  };
  expect(parseConfig(env)).toMatchObject({
    database: { url: 'postgresql://user:pass@db.example.com/gateway' },
    initAdminApiTokens: ['one', 'two'],
  });
  expect(readSecretFiles({ MIRROR_TOKEN_FILE: fileWith('token') }, ['MIRROR_TOKEN'])['MIRROR_TOKEN']).toBe('token');
});

test('a missing file, or a variable given twice → a sentence without the secret', () => {
  expect(() => readSecretFiles({ DATABASE_URL_FILE: '/nowhere/secret' }, ['DATABASE_URL'])).toThrow(
    'The file /nowhere/secret in DATABASE_URL_FILE cannot be read (ENOENT). Correct its path or its access rights.',
  );
  expect(() => readSecretFiles({ MIRROR_TOKEN: 'a', MIRROR_TOKEN_FILE: 'b' }, ['MIRROR_TOKEN'])).toThrow(
    'Set MIRROR_TOKEN or MIRROR_TOKEN_FILE, not both.',
  );
});

test('the file of the token that only `mirror` needs → the gateway does not read it', () => {
  expect(() => parseConfig({ MIRROR_TOKEN_FILE: '/nowhere/secret' })).not.toThrow();
});
