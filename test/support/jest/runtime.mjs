import JestRuntime from 'jest-runtime';

let shared;
let files = 0;

/**
 * Loads the gateway and its dependencies once for all test files of a worker. Jest's own runtime loads all modules again for each file,
 * which took most of the suite's CPU time. Each test file and setup file is still evaluated anew.
 */
export default class SharedRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    shared ??= this;
    files += 1;
  }

  /** Called by Jest for a test file and for each setup file. */
  unstable_importModule(file) {
    return shared.esmLoader.loadAndEvaluate(file, `?evaluation=${files}`);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    if (shared !== this) shared.setGlobalsForRuntime(globals);
  }

  enterTestCode() {
    shared.testState.enterTestCode();
  }

  leaveTestCode() {
    shared.testState.leaveTestCode();
  }

  teardown() {
    if (shared === this) this.restoreAllMocks();
    else super.teardown();
  }
}
