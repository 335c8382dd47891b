/** Tests whose results do not depend on the database. The run on PostgreSQL leaves them out. */
const WITHOUT_DATABASE = [
  '<rootDir>/test/(apollo|docs|mcp|typed-clients|unit)/',
  '<rootDir>/test/http/console',
  '<rootDir>/test/database/(embedded-server|terminated-login)',
  '<rootDir>/test/cli/(feed-odd-gateways|loaded-modules)',
  '<rootDir>/test/events/event-',
  '<rootDir>/test/auth/(?!api-token.store)',
  '<rootDir>/test/graphql/(cost|date-time|descriptions|document-limits|nesting)',
  '<rootDir>/test/limits/(?!limiters)',
  '<rootDir>/test/properties/changes-apply',
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.mjs',
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: [
    '<rootDir>/test/(browser|deploy|live)/',
    ...(process.env.TEST_DATABASE_URL === undefined ? [] : WITHOUT_DATABASE),
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/quiet-console.ts'],
  // Uses all cores, because databases do most of the work in other threads or processes, or wait for the disk.
  maxWorkers: '100%',
  testTimeout: 180_000,
  // On a busy machine, a worker with many modules takes longer to exit than the default of half a second.
  workerGracefulExitTimeout: 5_000,
};
