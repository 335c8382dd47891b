import { hash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import { JsonList, JsonText, toJson } from '../formats/json-text.js';
import type { RequestContext } from '../request-context.js';

/** The functions by which the cache reads the version of the log, and charges for a cached result. */
export interface MemoOptions {
  /** Returns the version of the log for the caller. Two responses to the same request are equal if their versions are equal. */
  readonly readVersion: (context: RequestContext) => Promise<string>;
  /** Charges the caller. @throws GatewayError TooManyRequestsError if the budget does not suffice */
  readonly charge: (context: RequestContext, cost: number) => Promise<void>;
}

/** An operation with its variables. */
export interface MemoRequest {
  /** The id of the operation's plan (run-operation.ts). */
  readonly operation: string;
  /** The variables of the operation, coerced. Uncoerced variables could give the same request several cache keys. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

/** A cached result without errors. */
interface Kept {
  readonly data: NonNullable<ExecutionResult['data']>;
  /** The cost of the rows that the query read. */
  readonly cost: number;
  /** The length of the result as JSON, and a number of characters for the memory of its objects. */
  readonly length: number;
}

/** A request that was seen before. */
interface Seen {
  /** The version that the log had before the last run of the query; null if no request has read it. */
  readonly version: string | null;
  /** A result of that version; null unless the last two runs were at that version, and for a result that is too long. */
  readonly kept: Kept | null;
  /**
   * The number of runs in a row whose version or result was of no use: the log changed before the next request, or the result was
   * too long to cache.
   */
  readonly misses: number;
  /** The number of further requests that run without reading the version, because the log has probably changed again. */
  readonly skips: number;
}

const FIRST_SIGHT: Seen = { version: null, kept: null, misses: 0, skips: 0 };

/** The most characters of all cached results together, and of one result. A character takes one or two bytes. */
const MAX_LENGTH = 24 * 1024 * 1024;
const MAX_LENGTH_OF_ONE = 2 * 1024 * 1024;

/** The allowance for each object beyond its JSON, in characters. Lists need none, because they are JSON text. */
const LENGTH_OF_OBJECT = 500;

/** The allowance for the key of each entry, in characters. An entry may have no result. */
const LENGTH_OF_KEY = 200;

/** The most misses that are counted. From 2 misses on, 2^misses requests run without reading the version, so at most 64. */
const MAX_DOUBLINGS = 6;

export type ResponseMemo = ReturnType<typeof createResponseMemo>;

/**
 * Caches results of queries of the log, and returns them again while the log has not changed. Callers with the same projects
 * share a result, and each of them is charged for it. A result is cached once two equal requests in a row have read the same
 * version of the log (docs/decisions/036-responses-again.md).
 */
export function createResponseMemo({ readVersion, charge }: MemoOptions) {
  const requests = new LRUCache<string, Seen>({
    maxSize: MAX_LENGTH,
    sizeCalculation: ({ kept }) => LENGTH_OF_KEY + (kept?.length ?? 0),
  });

  return {
    /**
     * Returns a cached result that is still current, or else runs the query.
     * @param run runs the query by its plan. It returns null if graphql-js has to run the query
     */
    async run(request: MemoRequest, run: () => Promise<ExecutionResult | null>): Promise<ExecutionResult | null> {
      const { context } = request;
      const key = toKey(request);
      const seen = requests.get(key);
      if (!seen || seen.skips > 0) {
        if (seen) requests.set(key, { ...seen, skips: seen.skips - 1 });
        const result = await run();
        // A request is recorded only after its first run. That run may count totals that are not cached yet. An equal request that
        // comes meanwhile counts the same totals, and its result could not be cached for that reason.
        if (!seen && result?.data) requests.set(key, requests.get(key) ?? FIRST_SIGHT);
        return result;
      }
      // If the version cannot be read, the query itself fails with the right error.
      const version = await readVersion(context).catch(() => null);
      const { kept, version: versionBefore, misses } = requests.get(key) ?? seen;
      if (kept && versionBefore === version) {
        if (misses > 0) requests.set(key, { version, kept, misses: 0, skips: 0 });
        await charge(context, kept.cost);
        return { data: kept.data };
      }
      const costBefore = context.statistics.cost;
      const result = await run();
      if (!result?.data || result.errors || version === null || context.statistics.hasNewTotal) return result;
      const { data } = result;
      const cost = context.statistics.cost - costBefore;
      // Other requests may have run meanwhile, so the entry is read again.
      requests.set(
        key,
        remember(requests.get(key) ?? seen, version, () => keep(data, cost)),
      );
      return result;
    },
  };
}

/**
 * Returns the entry of a request after a run of its query. On a log that changes between the requests, results would take memory
 * and never be returned. So the first run on a version stores only the version.
 */
function remember(seen: Seen, version: string, keepResult: () => Kept | null): Seen {
  const isUnchanged = seen.version === version;
  const kept = isUnchanged ? (seen.kept ?? keepResult()) : null;
  const isMiss = isUnchanged ? !kept : seen.version !== null;
  const misses = isMiss ? Math.min(seen.misses + 1, MAX_DOUBLINGS) : seen.misses;
  return { version, kept, misses, skips: isMiss && misses > 1 ? 2 ** misses : 0 };
}

/** Returns null for a result that is too long. */
function keep(data: Kept['data'], cost: number): Kept | null {
  const length = toJson(data).length + countObjects(data) * LENGTH_OF_OBJECT;
  if (length > MAX_LENGTH_OF_ONE) return null;
  compactLists(data);
  return { data, cost, length };
}

function compactLists(value: unknown): void {
  if (value instanceof JsonList) value.compact();
  else if (typeof value === 'object' && value !== null && !(value instanceof JsonText))
    Object.values(value).forEach(compactLists);
}

function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + countObjects(member), 1);
}

function toKey({ operation, variables, context: { caller } }: MemoRequest): string {
  return hash('sha256', JSON.stringify([operation, variables, caller.projects]), 'base64');
}
