import type { UnleashServer } from './unleash-server.js';

const PROJECT = '/api/admin/projects/default';

/** Does through Unleash's API what a team does with its flags in a few weeks: some hundred events of two dozen types. */
export async function fill({ call, signUp }: UnleashServer): Promise<void> {
  await call('POST', '/api/admin/context', { name: 'region', description: 'where a request is from', legalValues: [] });
  await call('POST', '/api/admin/segments', { name: 'beta', constraints: [] });
  for (let n = 0; n < 12; n += 1) await fillFlag(call, n);
  for (let n = 0; n < 60; n += 1) {
    await call('POST', `${PROJECT}/features/checkout-1/environments/production/${n % 2 === 0 ? 'on' : 'off'}`, {});
  }
  for (let n = 0; n < 4; n += 1) {
    await call('POST', '/api/admin/user-admin', {
      name: `User ${n}`,
      email: `user${n}@example.com`,
      rootRole: (n % 3) + 1,
      sendEmail: false,
    });
  }
  const { body: token } = await call('POST', '/api/admin/invite-link/tokens', {
    name: 'from the server',
    expiresAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  for (const name of ['ann', 'bob', 'cy']) await signUp(token.secret, `${name}@example.com`);
}

async function fillFlag(call: UnleashServer['call'], n: number): Promise<void> {
  const name = `checkout-${n}`;
  const flag = `${PROJECT}/features/${name}`;
  const development = `${flag}/environments/development`;
  const type = ['release', 'experiment', 'kill-switch'][n % 3];
  await call('POST', `${PROJECT}/features`, { name, type, description: `Flag ${n} of "the" 100% tests_` });
  const rollout = { rollout: String(n * 7), stickiness: 'default', groupId: name };
  const { body: strategy } = await call('POST', `${development}/strategies`, { name: 'flexibleRollout', parameters: rollout });
  await call('POST', `${development}/on`, {});
  if (n % 2 === 1) await call('POST', `/api/admin/features/${name}/tags`, { type: 'simple', value: `team-${n}` });
  if (n % 3 === 0) await call('PUT', flag, { name, description: 'ÄÖÜ 🏁 changed', type: 'release' });
  if (n % 4 === 0) await call('POST', `${development}/off`, {});
  if (n % 5 === 0) {
    await call('PATCH', `${development}/strategies/${strategy.id}`, [
      { op: 'replace', path: '/parameters/rollout', value: '99' },
    ]);
  }
  if (n > 8) await call('DELETE', flag);
}
