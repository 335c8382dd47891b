import { isPostgres } from './test-database.js';

/**
 * The number of generated inputs that a property test sends to a gateway: all of `count` on PostgreSQL, a quarter of them on the
 * embedded database, whose queries take several times the CPU.
 */
export const randomRuns = (count: number): number => (isPostgres ? count : Math.ceil(count / 4));
