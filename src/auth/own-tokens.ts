import type { ApiTokenStore, StoredApiToken } from './api-token.store.js';
import type { FindCaller } from './authenticate.js';
import type { Caller } from './caller.js';
import { hashSecret, isSameHash } from './secret.js';

/** `last_used_at` is kept to the minute, so that reading does not write at every request. */
const USE_NOTED_EVERY_MS = 60_000;

/** By the gateway's own API tokens, each looked up anew: one that was revoked ends with the request before. */
export function createOwnTokens(store: Pick<ApiTokenStore, 'find' | 'noteUse'>): FindCaller {
  return async (secret) => {
    const hash = hashSecret(secret);
    const token = await store.find(hash);
    if (!token || !isSameHash(token.hash, hash) || isExpired(token)) return null;
    if (isUseDue(token)) await store.noteUse(hash, new Date()).catch(() => undefined); // a read-only database still serves reads
    return toCaller(token);
  };
}

/** By the secrets of administrators that the configuration names, where there is no table for tokens. */
export function createConfiguredAdmins(secrets: readonly string[]): FindCaller {
  const hashes = secrets.map(hashSecret);
  const admin: Caller = { name: 'admin', email: null, userId: null, role: 'ADMIN', projects: 'all' };
  return async (secret) => {
    const hash = hashSecret(secret);
    return hashes.some((known) => isSameHash(known, hash)) ? admin : null;
  };
}

function isExpired({ expiresAt }: StoredApiToken): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

function isUseDue({ lastUsedAt }: StoredApiToken): boolean {
  return lastUsedAt === null || Date.now() - lastUsedAt.getTime() > USE_NOTED_EVERY_MS;
}

function toCaller({ name, role, projects }: StoredApiToken): Caller {
  return { name, email: null, userId: null, role, projects: projects.includes('*') ? 'all' : projects };
}
