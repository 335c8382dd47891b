import { allRequests } from './load-request.mjs';
import { measureOnce } from './measure-load.mjs';

/** @typedef {import('./query-cases.mjs').Query} Query */
/** @typedef {{name: string, target: string, requests: number, p50Ms: number, p95Ms: number}} QueryFigures */

const SECONDS = 3;

/**
 * Repeats each query, one request at a time. The first requests are not measured, because the gateway counts a total only once.
 * @param {Query[]} queries
 * @param {{databasePid: number, pinned: string[]}} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<QueryFigures[]>}
 */
export async function measureQueries(queries, how, tell) {
  const figures = [];
  for (const query of queries) {
    tell(query.name);
    const { url, ...init } = allRequests(query.request)[0] ?? query.request;
    await (await fetch(url, init)).text();
    // The warm-up takes the values from the other end, so that the measurement uses new ones.
    const { values, ...request } = query.request;
    const warmUp = { ...query, request: { ...request, ...(values && { values: values.toReversed() }) } };
    await measureOnce(warmUp, { ...how, connections: 1, seconds: 1 });
    const { requests, p50Ms, p95Ms } = await measureOnce(query, { ...how, connections: 1, seconds: SECONDS });
    figures.push({ name: query.name, target: query.target, requests, p50Ms, p95Ms });
  }
  return figures;
}
