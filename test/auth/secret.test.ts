import { describe, expect, test } from '@jest/globals';
import { hashSecret, isHeaderValue, isOwnSecret, isSameHash, newSecret } from '../../src/auth/secret.js';

describe('a new secret', () => {
  test('is known by its prefix, holds 256 bits, and is another one each time', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^flaggw_[\w-]{43}$/);
      expect(isOwnSecret(secret)).toBe(true);
      expect(isHeaderValue(secret)).toBe(true);
    }
  });

  test.each(['', 'flaggw', 'x-flaggw_a', 'aflaggw_', '*:*.flaggw_'])('%j is none of the gateway', (secret) => {
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
])('whether a header can hold %j: %j', (secret, isOne) => {
  expect(isHeaderValue(secret)).toBe(isOne);
});

test('a hash is the SHA-256, in hex', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['', 'a', false],
])('%j and %j are the same hash: %j', (a, b, isSame) => {
  expect(isSameHash(a, b)).toBe(isSame);
});
