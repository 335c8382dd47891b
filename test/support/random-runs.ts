import { isPostgres } from './test-database.js';

/**
 * The number of generated inputs that a property test sends to a gateway. It is `count` on PostgreSQL and a quarter of it on the
 * embedded database, because queries there take several times the CPU time.
 */
export const randomRuns = (count: number): number => (isPostgres ? count : Math.ceil(count / 4));
