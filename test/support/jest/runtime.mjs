import JestRuntime from 'jest-runtime';

let shared;
let files = 0;

/** The start of the query by which the module of a test file differs from those that were evaluated before. */
const EVALUATION = '?evaluation=';

/**
 * Loads the gateway and its dependencies once for all test files of a worker. Jest's own runtime loads all modules again for each file,
 * which took most of the suite's CPU time. Only test files and setup files are evaluated again.
 */
export default class SharedRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    shared ??= this;
    files += 1;
    shared.forgetEvaluated();
  }

  /** Lets the garbage collector free the previous test file and what it holds. */
  forgetEvaluated() {
    const modules = this.registries.getActiveEsmRegistry();
    for (const key of modules.keys()) if (key.includes(EVALUATION)) modules.delete(key);
  }

  /** Called by Jest for a test file and for each setup file. */
  unstable_importModule(file) {
    return shared.esmLoader.loadAndEvaluate(file, `${EVALUATION}${files}`);
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
