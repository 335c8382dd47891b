import { expect, test } from '@jest/globals';
import { type Caller, type ProjectScope, type Role, requireAllProjects, requireRole } from '../../src/auth/caller.js';

const callerWith = (rights: Partial<Caller>): Caller => ({
  id: 'a',
  name: 'a',
  email: null,
  userId: null,
  role: 'VIEWER',
  projects: 'all',
  ...rights,
});

test.each<[Role, Role]>([
  ['VIEWER', 'VIEWER'],
  ['ADMIN', 'VIEWER'],
  ['ADMIN', 'ADMIN'],
])('a token of %s may do what needs %s', (role, needed) => {
  expect(() => requireRole(callerWith({ role }), needed)).not.toThrow();
});

test('a VIEWER may not do what needs ADMIN, and is told so', () => {
  const reach = () => requireRole(callerWith({ role: 'VIEWER' }), 'ADMIN');
  expect(reach).toThrow(expect.objectContaining({ name: 'PermissionError', message: expect.stringContaining('ADMIN') }));
});

test('what concerns all projects needs a token of all', () => {
  expect(() => requireAllProjects(callerWith({ projects: 'all' }))).not.toThrow();
  for (const projects of ['any project', [], ['default']] satisfies ProjectScope[]) {
    const reach = () => requireAllProjects(callerWith({ role: 'ADMIN', projects }));
    expect(reach).toThrow(expect.objectContaining({ name: 'PermissionError', message: expect.stringContaining('all projects') }));
  }
});
