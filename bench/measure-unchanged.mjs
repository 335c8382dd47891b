import { allRequests } from './load-request.mjs';
import { measureOnce } from './measure-load.mjs';

/** @typedef {import('./page-cases.mjs').Case} Case */
/** @typedef {{fullCpuMs: number | null, unchangedCpuMs: number | null}} UnchangedFigures server CPU per request */

/**
 * Compares the cost of a 304 response with the cost of the whole response.
 * @param {Case} one of the gateway
 * @param {{databasePid: number, pinned: string[], connections: number, seconds: number}} how
 * @returns {Promise<UnchangedFigures>}
 */
export async function measureUnchanged(one, how) {
  const [request = one.request] = allRequests(one.request);
  const { headers } = await fetch(request.url, request);
  const conditional = { ...one.request.headers, 'if-none-match': headers.get('etag') ?? '' };
  const unchanged = { ...one, request: { ...one.request, headers: conditional } };
  await measureOnce(unchanged, { ...how, status: 304 });
  const full = await measureOnce(one, how);
  const { serverCpuMs } = await measureOnce(unchanged, { ...how, status: 304 });
  return { fullCpuMs: full.serverCpuMs, unchangedCpuMs: serverCpuMs };
}
