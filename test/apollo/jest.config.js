import base from '../../jest.config.js';

/** Runs Apollo's integration tests. `apollo-integration.test.ts` starts them in a separate process, because some of them fail. */
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/apollo/suite.ts'],
  extensionsToTreatAsEsm: base.extensionsToTreatAsEsm ?? [],
  moduleNameMapper: base.moduleNameMapper ?? {},
  transform: base.transform ?? {},
};
