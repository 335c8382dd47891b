import { repositoryFile, run } from './child.mjs';
import { memoryBytes } from './proc.mjs';
import { medianIfKnown } from './statistics.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{documents: number, early: number, late: number, earlyBytes: number | null, lateBytes: number | null}} DocumentFigures early, late: numbers of requests */

const DOCUMENTS = 5_000;
const EARLY = 20_000;
const LATE = 200_000;
const SAMPLE_MS = 200;

/**
 * Measures whether memory grows while clients send many documents. The gateway parses, validates and caches each of them.
 * @param {Server} gateway newly started
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
    // A single sample includes garbage that Node has not collected yet.
    return medianIfKnown(samples.slice(-Math.ceil(samples.length / 4)));
  };
  const earlyBytes = await send(EARLY);
  const lateBytes = await send(LATE - EARLY);
  return { documents: DOCUMENTS, early: EARLY, late: LATE, earlyBytes, lateBytes };
}
