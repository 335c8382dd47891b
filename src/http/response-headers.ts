import type { FastifyInstance } from 'fastify';
import type { BudgetState } from '../limits/budgets.js';

/** Sets the headers that depend on the outcome of a request. */
export function registerResponseHeaders(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', ({ statistics }, reply, _, done) => {
    if (isStopping()) reply.header('connection', 'close');
    const { budget } = statistics;
    if (budget) reply.headers(toBudgetHeaders(budget));
    const isTemporary = reply.statusCode === 503 || reply.statusCode === 429;
    if (isTemporary && !reply.hasHeader('retry-after')) reply.header('retry-after', secondsUntilRetry(reply.statusCode, budget));
    done();
  });
}

/** Returns the headers of the IETF draft on rate limits, one for each value, because most clients support that form. */
function toBudgetHeaders({ limit, remaining, resetMs }: BudgetState) {
  return { 'ratelimit-limit': limit, 'ratelimit-remaining': Math.floor(remaining), 'ratelimit-reset': Math.ceil(resetMs / 1000) };
}

/** The default of `retry-after`: an unavailable gateway needs at least this long to recover. */
const RECOVERY_SECONDS = 2;

function secondsUntilRetry(status: number, budget: BudgetState | null): number {
  return status === 429 && budget ? Math.max(1, Math.ceil(budget.resetMs / 1000)) : RECOVERY_SECONDS;
}
