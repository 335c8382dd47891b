import { least, most } from './outcome.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */

/** No transaction of a reader may stay open, so the longest transaction is that of a query. */
const LONGEST_QUERY_MS = 1_000;
/** For each stuck reader: a batch of about a megabyte, the data that it is made from, and the buffers of the socket. */
const STUCK_MEGABYTES = 150;

/**
 * Compares the streams of the feed with the targets of the project.
 * @param {import('./measure-streams.mjs').FeedFigures} figures
 * @returns {Outcome[]}
 */
export function compareStreams({ delays, idle, stuck }) {
  const megabytes = (/** @type {number | null} */ bytes) => (bytes === null ? undefined : bytes / 1e6);
  return [
    ...delays.flatMap(({ name, p50Ms, p99Ms }) => [
      most(`from the commit to the reader, ${name}, p50`, p50Ms, 600, ' ms', ''),
      most(`from the commit to the reader, ${name}, p99`, p99Ms, 1_500, ' ms', ''),
    ]),
    most('1,000 idle streams of 50 tokens: memory above rest', megabytes(idle.aboveRestBytes), 30, ' MB', ''),
    most('statements of PostgreSQL meanwhile', idle.statementsPerSecond ?? undefined, 20, ' a second', ''),
    least('pages of others beside them, compared to without', idle.rateShare, 0.9, ''),
    most('readers that stop reading: time until the last one is reset', stuck.resetMs ?? undefined, 45_000, ' ms', ''),
    most('longest transaction meanwhile', stuck.longestTransactionMs, LONGEST_QUERY_MS, ' ms', ''),
    most('memory above rest meanwhile', megabytes(stuck.aboveRestBytes), STUCK_MEGABYTES, ' MB', ''),
  ];
}
