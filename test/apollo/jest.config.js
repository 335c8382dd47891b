import base from '../../jest.config.js';

/** Apollo's integration tests, which `apollo-integration.test.ts` runs in a process of their own: some are known to fail. */
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/apollo/suite.ts'],
  extensionsToTreatAsEsm: base.extensionsToTreatAsEsm ?? [],
  moduleNameMapper: base.moduleNameMapper ?? {},
  transform: base.transform ?? {},
};
