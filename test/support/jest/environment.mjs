import { TestEnvironment } from 'jest-environment-node';

class LastingEnvironment extends TestEnvironment {
  async setup() {
    // The runner of the previous file registered its handlers of events here.
    delete this.global[Symbol.for('EVENT_HANDLERS')];
  }

  async teardown() {
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
