import setUp from './test/support/global-setup.mjs';
import tearDown from './test/support/global-teardown.mjs';

// Every mutant is a run of Jest; the databases that its tests copy are made once for all of them.
await setUp();
process.on('exit', () => void tearDown());

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  jest: { configFile: 'test/mutation/jest.config.js' },
  coverageAnalysis: 'perTest',
  // A busy machine must not make slow tests look like mutants that were found.
  timeoutMS: 15_000,
  mutate: [
    'src/auth/*.ts',
    'src/limits/*.ts',
    'src/graphql/{cost,cost-limit,document-limits,nesting}.ts',
    // What parses and checks search parameters, over REST and GraphQL.
    'src/rest/search-parameters.ts',
    'src/events/{event-filter,event-page,event-cost}.ts',
    'src/formats/{date-time,text}.ts',
  ],
  thresholds: { high: 95, low: 90, break: 85 },
  concurrency: 2,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  // What no test here reads. Stryker would also rewrite tsconfig.json, which takes the API of an older compiler.
  ignorePatterns: ['bench', 'conformance', 'data', 'deploy', 'dist', 'docs', 'soak', 'tsconfig.json'],
};
