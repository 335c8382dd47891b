import type { InTurn } from '../limits/in-turn.js';
import { createLoopTurns } from '../limits/loop-turns.js';
import { shareNext } from '../log-version/single-flight.js';
import type { EpochCount } from '../log-version/version.js';
import type { ChooseLog } from './event-log.js';
import type { Context } from './log-reader.js';

/** Stands for the callers that share a count, as one caller of the queue (limits/in-turn.ts). */
const ALL_CALLERS = 'all callers';

/**
 * Returns a function that counts the whole log. Requests that arrive during a count share the next one, which takes one turn of
 * the queue. Afterwards, they go on in turns of the event loop, which are counted apart from those of requests that begin.
 * @throws GatewayError ClientClosedRequest if the request has ended meanwhile
 */
export function createSharedCount(chooseLog: ChooseLog, inTurn: InTurn): (context: Context) => Promise<EpochCount> {
  const never = new AbortController().signal;
  const countNext = shareNext(() => inTurn(ALL_CALLERS, false, never, async () => (await chooseLog()).totals.count({})));
  const { beginInTurn } = createLoopTurns();
  return async ({ caller, signal }) => {
    // Hundreds of requests can share a count. Without turns, all their responses would be built in one iteration of the event loop.
    const counted = await countNext().finally(() => beginInTurn(caller.id));
    signal.throwIfAborted();
    return counted;
  };
}
