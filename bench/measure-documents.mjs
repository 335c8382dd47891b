import { repositoryFile, run } from './child.mjs';
import { memoryBytes } from './proc.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{documents: number, early: number, late: number, earlyBytes: number | null, lateBytes: number | null}} DocumentFigures early, late: after how many requests */

const DOCUMENTS = 5_000;
const EARLY = 20_000;
const LATE = 200_000;

/**
 * Whether memory grows while many clients send documents of their own: each of them is parsed, validated, and kept for a while.
 * @param {Server} gateway which has just started
 * @param {{token: string, pinned: string[]}} how
 * @returns {Promise<DocumentFigures>}
 */
export async function measureDocuments(gateway, { token, pinned }) {
  const send = (/** @type {number} */ amount) => {
    const argument = JSON.stringify({ url: gateway.url, token, documents: DOCUMENTS, amount });
    return run([...pinned, process.execPath, repositoryFile('bench/load-documents.mjs'), argument]);
  };
  await send(EARLY);
  const earlyBytes = memoryBytes(gateway.pid);
  await send(LATE - EARLY);
  return { documents: DOCUMENTS, early: EARLY, late: LATE, earlyBytes, lateBytes: memoryBytes(gateway.pid) };
}
