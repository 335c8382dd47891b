import base from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/live'],
  testPathIgnorePatterns: [],
  globalSetup: undefined,
  globalTeardown: undefined,
  // Allows for installing Unleash, running its migrations, and killing a mirror twenty times.
  testTimeout: 600_000,
};
