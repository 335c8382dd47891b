import { repositoryFile, run } from './child.mjs';
import { memoryBytes } from './proc.mjs';
import { medianIfKnown } from './statistics.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{documents: number, early: number, late: number, earlyBytes: number | null, lateBytes: number | null}} DocumentFigures early, late: after how many requests */

const DOCUMENTS = 5_000;
const EARLY = 20_000;
const LATE = 200_000;
const SAMPLE_MS = 200;

/**
 * Whether memory grows while many clients send documents of their own: each of them is parsed, validated, and kept for a while.
 * @param {Server} gateway which has just started
 * @param {{token: string, pinned: string[]}} how
 * @returns {Promise<DocumentFigures>}
 */
export async function measureDocuments(gateway, { token, pinned }) {
  const send = async (/** @type {number} */ amount) => {
    const argument = JSON.stringify({ url: gateway.url, token, documents: DOCUMENTS, amount });
    /** @type {(number | null)[]} */
    const samples = [];
    const sampling = setInterval(() => samples.push(memoryBytes(gateway.pid)), SAMPLE_MS);
    await run([...pinned, process.execPath, repositoryFile('bench/load-documents.mjs'), argument]);
    clearInterval(sampling);
    // At one moment it is as much as has not been collected yet.
    return medianIfKnown(samples.slice(-Math.ceil(samples.length / 4)));
  };
  const earlyBytes = await send(EARLY);
  const lateBytes = await send(LATE - EARLY);
  return { documents: DOCUMENTS, early: EARLY, late: LATE, earlyBytes, lateBytes };
}
