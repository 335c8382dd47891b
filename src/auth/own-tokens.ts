import { LRUCache } from 'lru-cache';
import type { ApiTokenStore, StoredApiToken } from './api-token.store.js';
import type { FindCaller } from './authenticate.js';
import type { Caller } from './caller.js';
import { hashSecret, isSameHash } from './secret.js';

/** How long a token that was found is not looked up again: so long after it was revoked it may still be used. */
const FOUND_FOR_MS = 250;

/** Tokens in use at one time, of which no more are kept. */
const MAX_FOUND = 10_000;

/** `last_used_at` is kept to the minute, so that reading does not write at every request. */
const USE_NOTED_EVERY_MS = 60_000;

/** By the gateway's own API tokens. */
export function createOwnTokens(store: Pick<ApiTokenStore, 'find' | 'noteUse'>): FindCaller {
  const found = new LRUCache<string, StoredApiToken>({
    max: MAX_FOUND,
    ttl: FOUND_FOR_MS,
    // What is not found is not kept: a new token works at once.
    fetchMethod: async (hash) => {
      const token = await store.find(hash);
      if (!token || !isSameHash(token.hash, hash)) return undefined;
      if (isUseDue(token)) await store.noteUse(hash, new Date()).catch(() => undefined); // a read-only database still serves reads
      return token;
    },
    // However many others are looked up meanwhile.
    ignoreFetchAbort: true,
  });
  return async (secret) => {
    const token = await found.fetch(hashSecret(secret));
    return token && !isExpired(token) ? toCaller(token) : null;
  };
}

/** By the secrets of administrators that the configuration names, where there is no table for tokens. */
export function createConfiguredAdmins(secrets: readonly string[]): FindCaller {
  const hashes = secrets.map(hashSecret);
  return async (secret) => {
    const hash = hashSecret(secret);
    const isKnown = hashes.some((known) => isSameHash(known, hash));
    return isKnown ? { id: hash, name: 'admin', email: null, userId: null, role: 'ADMIN', projects: 'all' } : null;
  };
}

function isExpired({ expiresAt }: StoredApiToken): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

function isUseDue({ lastUsedAt }: StoredApiToken): boolean {
  return lastUsedAt === null || Date.now() - lastUsedAt.getTime() > USE_NOTED_EVERY_MS;
}

function toCaller({ hash, name, role, projects, isOfMirror }: StoredApiToken): Caller {
  // As on the server: what belongs to no project, such as an invitation with its secret, is for administrators.
  const all = isOfMirror && role !== 'ADMIN' ? 'any project' : 'all';
  return { id: hash, name, email: null, userId: null, role, projects: projects.includes('*') ? all : projects };
}
