import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '../errors.js';
import { isSameEpoch } from './epoch.store.js';
import type { LogWatermark, WatermarkObstacle } from './watermark.js';
import type { LogEnd } from './watermark.store.js';

type ReadEnd = () => Promise<LogEnd>;

/**
 * How long a request waits for the watermark to reach an id. The watermark normally reaches the id in two advances, one a second
 * (`WATERMARK_EVERY_MS`). Open transactions can delay it.
 */
const PATIENCE_MS = 4_000;
const CHECKED_EVERY_MS = 50;

/**
 * How many times a request renews the watermark because it finds a new epoch. A database that stores no epoch returns a different
 * value at each read, so each read seems to find a new epoch. Without this limit, the renewals could go on forever there.
 */
const MAX_RENEWALS = 2;

/**
 * Returns an id up to which the log is complete: no transaction can add an event at or below this id any more, unless the
 * transaction chooses the event's id itself.
 *
 * Without `upTo`, waits until the log is complete up to its present highest id, and returns that id. If open transactions delay
 * this for more than `PATIENCE_MS`, returns the id of the watermark, which is lower. A watermark of 0, from when the log was
 * empty, does not count.
 *
 * `upTo` is an id that an earlier call has returned. With `upTo`, returns `upTo`, and may have to wait too, because the
 * earlier call may have been on another gateway.
 * @throws GatewayError BadDataError if `upTo` is above all ids; ServiceUnavailableError or NotSupportedHereError if there is no
 * watermark, or if the watermark does not reach `upTo` in time
 */
export async function settleLog(
  watermark: LogWatermark,
  readEnd: ReadEnd,
  upTo: number | null,
  signal: AbortSignal,
): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  let end = await readEnd();
  if (upTo !== null && upTo > end.highestId) throw beyondEnd(end.highestId);
  const wanted = upTo ?? end.highestId;
  for (let renewals = 0; wanted > 0; ) {
    await watermark.advance();
    const { current } = watermark;
    if (current && !isSameEpoch(current, end) && renewals < MAX_RENEWALS) {
      renewals += 1;
      await watermark.renew(current, end);
      end = await readEnd();
      continue;
    }
    if (current && current.upTo >= wanted) return wanted;
    const obstacle = watermark.findObstacle();
    if (!current && obstacle !== 'writers') throw notSettled(obstacle);
    if (performance.now() > deadline) {
      if (current && current.upTo > 0 && upTo === null) return current.upTo;
      throw notSettled(obstacle);
    }
    await setTimeout(CHECKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
  return wanted;
}

function beyondEnd(highestId: number): GatewayError {
  const message = `must not be above ${highestId}, the highest id of the log`;
  return new GatewayError('BadDataError', `The request is not valid: upTo ${message}`, { details: [{ path: 'upTo', message }] });
}

/** Returns the error for a request whose watermark is missing or too low. */
export function notSettled(obstacle: WatermarkObstacle): GatewayError {
  if (obstacle === 'standby') {
    return new GatewayError(
      'NotSupportedHereError',
      'The database of this gateway is a standby, which does not know the open transactions of its primary. Use the feed and the exports of a gateway on the primary.',
    );
  }
  if (obstacle === 'cached sequence') {
    return new GatewayError(
      'NotSupportedHereError',
      'The sequence of the event ids has a cache greater than 1, so events with lower ids may be added at any time. Set it to 1: ALTER SEQUENCE events_id_seq CACHE 1. Then restart the programs that add events.',
    );
  }
  const reason =
    obstacle === 'unwritable'
      ? 'The database accepts no changes now, so the gateway cannot tell whether earlier events may still be added.'
      : 'A transaction that has written to the log is still open, so earlier events may still be added.';
  return new GatewayError('ServiceUnavailableError', `${reason} Try again later.`);
}
