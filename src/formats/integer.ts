/** The largest value of PostgreSQL's `integer` and of GraphQL's `Int`. */
export const MAX_INT = 2_147_483_647;
