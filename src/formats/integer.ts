/** What PostgreSQL's `integer` and GraphQL's `Int` hold. */
export const MAX_INT = 2_147_483_647;
