import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExportFile } from './export-file.mjs';

/** @typedef {{gatewayUrl: string, token: string, format: string}} Source */
/** @typedef {{upTo: string, count: number}} Announced upTo, count: the headers of the response */
/** @typedef {{status: number, announced: Announced, isBroken: boolean}} Part */

const PATIENCE = 20;

/**
 * Exports the whole log in one response.
 * @param {Source} source
 * @returns {Promise<{file: ExportFile, announced: Announced, ms: number}>}
 */
export async function exportOverHttp(source) {
  const file = new ExportFile();
  const startedAt = performance.now();
  const { announced } = await readPart(source, {}, file);
  return { file, announced, ms: performance.now() - startedAt };
}

/**
 * Exports the log over connections that break at some places of the file. The rest is requested as docs/exporting.md says.
 * @param {Source} source
 * @param {number[]} places ascending
 * @param {number} events number of events in the whole export
 * @returns {Promise<ExportFile>}
 */
export async function exportWithBreaks(source, places, events) {
  let file = new ExportFile();
  const headers = source.format === 'csv' ? 1 : 0;
  /** @type {Record<string, string>} */
  let rest = {};
  for (const place of [...places, Number.POSITIVE_INFINITY]) {
    const eventsBefore = Math.max(0, file.lines - headers);
    const { announced, isBroken } = await readPart(source, rest, file, place);
    if (announced.count !== events - eventsBefore)
      throw new Error(`The rest after ${eventsBefore} of ${events} events has x-export-count ${announced.count}.`);
    if (isBroken !== Number.isFinite(place)) throw new Error('The connection broke elsewhere than it should.');
    if (!isBroken) break;
    file.cut();
    const { lastId } = file;
    if (lastId === null) file = new ExportFile();
    rest = { ...(lastId !== null && { after: String(lastId) }), 'up-to': announced.upTo };
  }
  return file;
}

/**
 * Reads one response, also if the gateway has not noticed the end of the previous one yet (429).
 * @param {Source} source
 * @param {Record<string, string>} parameters
 * @param {ExportFile} file
 * @param {number} [breakAt] the size of the file at which the connection breaks
 */
async function readPart(source, parameters, file, breakAt = Number.POSITIVE_INFINITY) {
  for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
    const part = await request(source, parameters, file, breakAt);
    if (part.status !== 429) return part;
    await sleep(500);
  }
  throw new Error('The gateway responds with 429, although no export of the token is running.');
}

/** @type {(source: Source, parameters: Record<string, string>, file: ExportFile, breakAt: number) => Promise<Part>} */
function request({ gatewayUrl, token, format }, parameters, file, breakAt) {
  const url = `${gatewayUrl}/v1/events/export?${new URLSearchParams({ format, ...parameters })}`;
  return new Promise((resolve, reject) => {
    const sent = http.get(url, { agent: false, headers: { authorization: token } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const announced = { upTo: String(headers['x-export-up-to']), count: Number(headers['x-export-count']) };
      if (status !== 200 && status !== 429) reject(new Error(`${url} responded with ${status}.`));
      response.on('data', (/** @type {Buffer} */ bytes) => {
        if (status !== 200 || file.size >= breakAt) return;
        file.add(bytes.subarray(0, breakAt - file.size));
        if (file.size < breakAt) return;
        resolve({ status, announced, isBroken: true });
        sent.destroy();
      });
      response.on('end', () => resolve({ status, announced, isBroken: false }));
      response.on('error', reject);
    });
    sent.on('error', reject);
  });
}
