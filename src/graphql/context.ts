import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../auth/caller.js';

/** What every resolver knows of the request. There is none without a caller. */
export interface GatewayContext {
  readonly caller: Caller;
  readonly log: FastifyBaseLogger;
}
