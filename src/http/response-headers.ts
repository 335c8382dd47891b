import type { FastifyInstance } from 'fastify';
import type { BudgetState } from '../telemetry/request-statistics.js';

/** The headers that depend on how a request ended. */
export function registerResponseHeaders(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', ({ statistics }, reply, _, done) => {
    if (isStopping()) reply.header('connection', 'close');
    // What reaches no hook before has none.
    const budget: BudgetState | null = statistics?.budget ?? null;
    if (budget) reply.headers(toBudgetHeaders(budget));
    const isLater = reply.statusCode === 503 || reply.statusCode === 429;
    if (isLater && !reply.hasHeader('retry-after')) reply.header('retry-after', secondsUntilRetry(reply.statusCode, budget));
    done();
  });
  // What must not be kept holds, or may hold, a secret; how well that compresses beside what a client sent would tell of it (BREACH).
  app.addHook('onSend', ({ headers }, reply, _, done) => {
    if (reply.getHeader('cache-control') === 'no-store') headers['x-no-compression'] = 'secret';
    done();
  });
}

/** Of the IETF's draft on rate limit headers, in the form that most clients know. */
function toBudgetHeaders({ limit, remaining, resetMs }: BudgetState) {
  return { 'ratelimit-limit': limit, 'ratelimit-remaining': Math.floor(remaining), 'ratelimit-reset': Math.ceil(resetMs / 1000) };
}

/** How long a gateway needs, at least, to be well again. */
const RECOVERY_SECONDS = 2;

function secondsUntilRetry(status: number, budget: BudgetState | null): number {
  return status === 429 && budget ? Math.max(1, Math.ceil(budget.resetMs / 1000)) : RECOVERY_SECONDS;
}
