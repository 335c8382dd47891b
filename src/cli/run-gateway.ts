import { constants } from 'node:os';
import type { Config } from '../config.js';
import type { Gateway, GatewayOptions } from '../gateway.js';

/** Starts the gateway, prints what `describe` returns, and serves until SIGINT or SIGTERM. */
export async function runGateway(
  config: Config,
  describe: (gateway: Gateway) => Promise<string>,
  options: GatewayOptions = {},
): Promise<void> {
  const letStop = stopOnSignals();
  // Loads the gateway only now, because the other commands do not need its dependencies.
  const { startGateway } = await import('../gateway.js');
  const gateway = await startGateway(config, options);
  letStop(gateway, config.stopDelayMs);
  process.stderr.write(await describe(gateway));
}

/**
 * The time limit for stopping, counted from the end of the stop delay. A gateway that takes longer exits with 1. Requests in
 * flight have less time (graceful-shutdown.ts).
 */
const STOP_MS = 10_000;

/**
 * Handles SIGINT and SIGTERM. The first signal stops the gateway after the requests in flight. A second signal, or one during the
 * start, ends the process at once. The handler calls `exit` itself, because the system ignores a signal that the first process of
 * a container does not handle.
 * @returns a function to call once the gateway has started
 */
function stopOnSignals(): (gateway: Gateway, delayMs: number) => void {
  let stop: (() => Promise<void>) | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stop) process.exit(128 + constants.signals[signal]);
    stop().then(
      () => process.exit(0),
      (error) => fail(`Stopping after ${signal} failed: ${String(error)}`),
    );
    stop = null;
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return (gateway, delayMs) => {
    stop = () => {
      setTimeout(() => fail(`Stopping took longer than ${STOP_MS / 1000} seconds.`), delayMs + STOP_MS).unref();
      return gateway.stop();
    };
  };
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
