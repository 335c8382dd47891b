import config from '../../jest.config.js';

/** Selects the tests that call functions directly. Starting a gateway for each mutant would take hours. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/auth/*.test.ts',
    '<rootDir>/test/limits/*.test.ts',
    '<rootDir>/test/events/*.test.ts',
    '<rootDir>/test/graphql/{cost,cost-limit,document-limits,nesting}.test.ts',
    '<rootDir>/test/unit/{counts-parameters,date-time,event-filter,filter-parameters,search-parameters,text}.test.ts',
  ],
  // Modules must be evaluated again for each mutant, because a mutant can also be outside of functions.
  testEnvironment: 'node',
  runtime: undefined,
  // Stryker's configuration creates the template databases, once for all runs.
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFilesAfterEnv: [...config.setupFilesAfterEnv, '<rootDir>/test/mutation/properties.ts'],
  // Allows for the start of an embedded database on a busy machine. Stryker stops a hanging test of a mutant earlier.
  testTimeout: 60_000,
};
