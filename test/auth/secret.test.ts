import { describe, expect, test } from '@jest/globals';
import { hashSecret, isOwnSecret, isSameHash, isToken, newSecret } from '../../src/auth/secret.js';

describe('secrets of the gateway', () => {
  test('a new secret → has the prefix and 256 bits, and differs each time', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^flaggw_[\w-]{43}$/);
      expect(isOwnSecret(secret)).toBe(true);
      expect(isToken(secret)).toBe(true);
    }
  });

  test.each(['', 'flaggw', 'x-flaggw_a', 'aflaggw_', '*:*.flaggw_'])('%j → not a secret of the gateway', (secret) => {
    expect(isOwnSecret(secret)).toBe(false);
  });
});

test.each([
  ['a', true],
  ['*:*.0123abc', true],
  ['!~', true],
  ['two words', true],
  ['', false],
  [' a', false],
  ['a ', false],
  ['a  b', false],
  ['a\tb', false],
  ['a\nb', false],
  ['\0', false],
  ['a\x7f', false],
  ['é', false],
  ['é a', false],
  ['Bearer a', false],
  ['bEaReR', false],
  ['bearers', true],
  ['a'.repeat(4096), true],
  ['a'.repeat(4097), false],
])('the secret %j → valid as a header value: %j', (secret, isValid) => {
  expect(isToken(secret)).toBe(isValid);
});

test('hashSecret → SHA-256 in hexadecimal', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['', 'a', false],
])('the hashes %j and %j → equal: %j', (a, b, isSame) => {
  expect(isSameHash(a, b)).toBe(isSame);
});
