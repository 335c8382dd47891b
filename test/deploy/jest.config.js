import base from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/deploy'],
  testPathIgnorePatterns: [],
  // These tests only read files and need no database.
  globalSetup: undefined,
  globalTeardown: undefined,
};
