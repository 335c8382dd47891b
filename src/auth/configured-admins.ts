import type { FindCaller } from './authenticate.js';
import { hashSecret, isSameHash } from './secret.js';

/** Finds administrators by the secrets in the configuration, as an Unleash database has no table for the gateway's tokens. */
export function createConfiguredAdmins(secrets: readonly string[]): FindCaller {
  const hashes = secrets.map(hashSecret);
  return async ({ hash }) => {
    const isConfigured = hashes.some((configured) => isSameHash(configured, hash));
    return isConfigured
      ? { id: hash, name: 'admin', email: null, userId: null, role: 'ADMIN', projects: 'all', expiresAt: null }
      : null;
  };
}
