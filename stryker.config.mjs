import setUp from './test/support/global-setup.mjs';
import tearDown from './test/support/global-teardown.mjs';

// Each mutant is a run of Jest. The template databases of the tests are created once for all runs.
await setUp();
process.on('exit', () => void tearDown());

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  jest: { configFile: 'test/mutation/jest.config.js' },
  coverageAnalysis: 'perTest',
  // On a busy machine, slow tests must not count as detected mutants.
  timeoutMS: 15_000,
  mutate: [
    'src/auth/*.ts',
    'src/limits/*.ts',
    'src/graphql/{cost,cost-limit,document-limits,nesting}.ts',
    // Parsers and checks of search parameters, over REST and GraphQL.
    'src/rest/{counts,filter,search}-parameters.ts',
    'src/events/{event-filter,event-page,event-cost}.ts',
    'src/formats/{date-time,text}.ts',
  ],
  thresholds: { high: 95, low: 90, break: 85 },
  concurrency: 2,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  // The tests do not read these. Stryker would also rewrite tsconfig.json, for which it needs the API of an older compiler.
  ignorePatterns: ['bench', 'conformance', 'data', 'deploy', 'dist', 'docs', 'soak', 'tsconfig.json'],
};
