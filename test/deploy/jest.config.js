import base from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/deploy'],
  testPathIgnorePatterns: [],
  // They read files, and need no database.
  globalSetup: undefined,
  globalTeardown: undefined,
};
