import type { GraphqlExecutor } from '../graphql/executor.js';

/** Runs a typed document on the schema, in this process. */
export type Execute = GraphqlExecutor['execute'];
