import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/**
 * The storages that are in use. Jest's runner makes one for each file and does not disable it, and each new promise visits all
 * storages in use, which took a twentieth of the suite's CPU time.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

class LastingEnvironment extends TestEnvironment {
  async setup() {
    // The runner of the previous file registered its handlers of events here.
    delete this.global[Symbol.for('EVENT_HANDLERS')];
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    // biome-ignore lint/correctness/useHookAtTopLevel: this is Jest's method, and no hook of React.
    this.fakeTimersModern.useRealTimers();
  }
}

let environment;

/**
 * Returns one environment for all test files of a worker, so that modules stay loaded between them (see runtime.mjs).
 * Jest's own environment for Node.js makes a new global object for each file.
 */
export default function SharedEnvironment(config, context) {
  environment ??= new LastingEnvironment(config, context);
  return environment;
}
