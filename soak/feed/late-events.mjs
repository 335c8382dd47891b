import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { atEnd } from '../../bench/cleanup.mjs';
import { startHttpServer } from '../../test/support/http-server.ts';

/** Imports take ids up to the first number, and the mirrored server those up to the second one. Sequences begin above both. */
const IMPORTED_UP_TO = 100_000;
export const RESERVED_IDS = 200_000;

/** Events that one run of a command adds. */
const ADDED_AT_ONCE = 50;
const PAUSE_MS = 2_000;

export const UNLEASH_ADMIN = 'soak-unleash-admin';
export const UNLEASH_VIEWER = 'soak-unleash-viewer';

/** @type {Record<string, object>} */
const USERS = {
  [UNLEASH_ADMIN]: { user: { id: 1, email: 'admin@example.com' }, permissions: [{ permission: 'ADMIN' }] },
  [UNLEASH_VIEWER]: { user: { id: 2, username: 'viewer' }, permissions: [] },
};

/** @type {(id: number, createdBy: string) => Record<string, unknown>} */
const toEvent = (id, createdBy) => ({
  id,
  createdAt: new Date().toISOString(),
  type: id % 2 === 0 ? 'feature-created' : 'feature-updated',
  createdBy,
  createdByUserId: 1,
  environment: null,
  project: `p${id % 3}`,
  featureName: `f${id % 3}`,
  data: {},
  preData: null,
  tags: [],
});

/** Starts a server that knows two tokens as Unleash does, and that has a log to mirror. Each event has a lower id than the one before. */
export async function startUnleashStandIn() {
  /** The newest event is the first one. @type {object[]} */
  const events = [];
  const { url, stop } = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://unleash');
    const reply = (/** @type {number} */ status, /** @type {object} */ body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const user = USERS[request.headers.authorization ?? ''];
    if (!user) reply(401, {});
    else if (pathname === '/api/admin/user') reply(200, user);
    else if (pathname !== '/api/admin/search/events') reply(404, {});
    else {
      // All events are of today, or of yesterday if the soak runs over midnight. Each range of days may have all of them.
      const offset = Number(searchParams.get('offset') ?? 0);
      reply(200, { version: 1, events: events.slice(offset, offset + Number(searchParams.get('limit'))), total: events.length });
    }
  });
  atEnd(stop);
  return {
    url,
    add(/** @type {number} */ count) {
      for (let n = 0; n < count; n += 1) events.unshift(toEvent(RESERVED_IDS - events.length, 'mirror'));
    },
  };
}

/**
 * Adds events below others by the commands `import` and `mirror`, in turn, until `isOver`. Each of them adds lower ids than
 * before. `import` refuses the database of a mirror, so the row in `gateway_mirror` exists only while `mirror` runs.
 * @param {Pick<import('./stage.mjs').FeedStage, 'command' | 'query' | 'folder' | 'unleash'>} stage
 * @param {() => boolean} isOver
 * @returns {Promise<{runs: number, failures: string[]}>}
 */
export async function addLateEvents({ command, query, folder, unleash }, isOver) {
  const file = path.join(folder, 'import.ndjson');
  /** @type {string[]} */
  const failures = [];
  let runs = 0;
  let imported = 0;
  const tryCommand = (/** @type {string[]} */ args) =>
    command(args, { MIRROR_TOKEN: UNLEASH_ADMIN }).catch(({ message }) => failures.push(message));
  while (!isOver()) {
    const lines = Array.from({ length: ADDED_AT_ONCE }, () => JSON.stringify(toEvent(IMPORTED_UP_TO - imported++, 'import')));
    await writeFile(file, lines.join('\n'));
    await tryCommand(['import', file]);
    unleash.add(ADDED_AT_ONCE);
    await query(`INSERT INTO gateway_mirror (id, source) VALUES (1, '${unleash.url}')`);
    await tryCommand(['mirror', '--from', unleash.url]);
    await query('DELETE FROM gateway_mirror');
    runs += 2;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { runs, failures };
}
