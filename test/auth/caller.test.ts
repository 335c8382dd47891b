import { expect, test } from '@jest/globals';
import { type Caller, type ProjectScope, type Role, requireAllProjects, requireRole } from '../../src/auth/caller.js';

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

test.each<[Role, Role]>([
  ['VIEWER', 'VIEWER'],
  ['ADMIN', 'VIEWER'],
  ['ADMIN', 'ADMIN'],
])('the role %s, where %s is required → allowed', (role, needed) => {
  expect(() => requireRole(callerWith({ role }), needed)).not.toThrow();
});

test('the role VIEWER, where ADMIN is required → PermissionError that names ADMIN', () => {
  const check = () => requireRole(callerWith({ role: 'VIEWER' }), 'ADMIN');
  expect(check).toThrow(expect.objectContaining({ name: 'PermissionError', message: expect.stringContaining('ADMIN') }));
});

test('all projects required → allowed with all projects, PermissionError with fewer', () => {
  expect(() => requireAllProjects(callerWith({ projects: 'all' }))).not.toThrow();
  for (const projects of ['any project', [], ['default']] satisfies ProjectScope[]) {
    const check = () => requireAllProjects(callerWith({ role: 'ADMIN', projects }));
    expect(check).toThrow(expect.objectContaining({ name: 'PermissionError', message: expect.stringContaining('all projects') }));
  }
});
