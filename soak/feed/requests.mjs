import { randomUUID } from 'node:crypto';
import { ADMIN } from '../prepare.mjs';

/** The time before a request is sent again. The gateway may be down, or the database may belong to a mirror for a moment. */
const RETRY_MS = 100;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** @type {(url: string, token: string, body: object) => Promise<boolean>} */
const post = (url, token, body) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

/**
 * Creates invitations through the gateway. Each creation adds an event.
 * @param {Pick<import('./stage.mjs').FeedStage, 'urls'>} stage
 * @param {{writers: number, events: number, seconds: number}} options
 * @returns {Promise<Record<string, number>>}
 */
export async function createInvitations({ urls: [url = ''] }, { writers, events, seconds }) {
  const startedAt = performance.now();
  let [created, failed, sent] = [0, 0, 0];
  const write = async () => {
    while (sent < events) {
      const dueAt = startedAt + (sent++ / events) * seconds * 1000;
      await pause(dueAt - performance.now());
      const body = { name: `feed ${randomUUID()}`, expiresAt: '2099-01-01T00:00:00.000Z' };
      while (!(await post(`${url}/api/admin/invite-link/tokens`, ADMIN, body))) {
        failed += 1;
        await pause(RETRY_MS);
      }
      created += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { 'invitations created': created, 'requests repeated': failed };
}

/** Time between two flags that Unleash creates. */
const FLAG_EVERY_MS = 200;

/**
 * Creates flags in Unleash, which writes their events.
 * @param {{url: string, token: string}} unleash
 * @param {number} seconds
 * @returns {Promise<Record<string, number>>}
 */
export async function createFlags({ url, token }, seconds) {
  const endsAt = performance.now() + seconds * 1000;
  let created = 0;
  while (performance.now() < endsAt) {
    if (!(await post(`${url}/api/admin/projects/default/features`, token, { name: `feed-${randomUUID()}` })))
      throw new Error('Unleash did not create a flag. Its log may say why.');
    created += 1;
    await pause(FLAG_EVERY_MS);
  }
  return { 'flags created in Unleash': created };
}
