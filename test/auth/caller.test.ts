import { expect, test } from '@jest/globals';
import { type Caller, type ProjectScope, requireAdmin } from '../../src/auth/caller.js';

const callerWith = (rights: Partial<Caller>): Caller => ({
  id: 'a',
  name: 'a',
  email: null,
  userId: null,
  role: 'VIEWER',
  projects: 'all',
  expiresAt: null,
  ...rights,
});

test('ADMIN for all projects → allowed', () => {
  expect(() => requireAdmin(callerWith({ role: 'ADMIN' }))).not.toThrow();
});

test.each<[string, Partial<Caller>]>([
  ['ADMIN', { role: 'VIEWER' }],
  ...(['any project', [], ['default']] satisfies ProjectScope[]).map(
    (projects) => ['all projects', { role: 'ADMIN', projects }] satisfies [string, Partial<Caller>],
  ),
])('without %s → PermissionError that names it', (needed, rights) => {
  const check = () => requireAdmin(callerWith(rights));
  expect(check).toThrow(expect.objectContaining({ name: 'PermissionError', message: expect.stringContaining(needed) }));
});
