import { LRUCache } from 'lru-cache';
import type { ApiTokenStore, StoredApiToken } from './api-token.store.js';
import type { FindCaller } from './authenticate.js';
import type { Caller } from './caller.js';
import { isSameHash } from './secret.js';

/** How long a token stays cached. A revoked token keeps working for up to this long (docs/decisions/016-token-cache.md). */
const CACHED_FOR_MS = 250;

const MAX_CACHED = 10_000;

/** `last_used_at` is accurate to the minute, so that few requests cause a write. */
const USE_NOTED_EVERY_MS = 60_000;

/** Finds callers by the gateway's own API tokens. A stream or an export looks its token up again (watch-token.ts). */
export function createTokenCache(store: Pick<ApiTokenStore, 'find' | 'noteUse'>): FindCaller {
  const tokens = new LRUCache<string, StoredApiToken>({
    max: MAX_CACHED,
    ttl: CACHED_FOR_MS,
    // With another resolution, the cache starts a timer whenever it reads the clock.
    ttlResolution: 0,
    // A missing token is not cached, so that a new token works at once.
    fetchMethod: async (hash) => {
      const token = await store.find(hash);
      if (!token || !isSameHash(token.hash, hash)) return undefined;
      // A read-only database rejects this write, but still serves reads.
      if (isUseDue(token)) await store.noteUse(hash, new Date()).catch(() => undefined);
      return token;
    },
    // A lookup returns its result even if other tokens evict its entry in the meantime.
    ignoreFetchAbort: true,
  });
  return async ({ hash }) => {
    const token = await tokens.fetch(hash);
    return token && !isExpired(token) ? toCaller(token) : null;
  };
}

function isExpired({ expiresAt }: StoredApiToken): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

function isUseDue({ lastUsedAt }: StoredApiToken): boolean {
  return lastUsedAt === null || Date.now() - lastUsedAt.getTime() > USE_NOTED_EVERY_MS;
}

function toCaller({ hash, name, role, projects, expiresAt, isOfMirror }: StoredApiToken): Caller {
  // In a copy of an Unleash log, only administrators see events without a project, as in Unleash. Some of these events contain
  // the secret of an invite link.
  const all = isOfMirror && role !== 'ADMIN' ? 'any project' : 'all';
  return { id: hash, name, email: null, userId: null, role, projects: projects.includes('*') ? all : projects, expiresAt };
}
