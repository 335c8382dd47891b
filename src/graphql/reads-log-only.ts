import type { GraphQLField } from 'graphql';

/** Marks root fields that read only the event log. Responses with other fields may contain a secret, and are not cached. */
export const READS_LOG_ONLY = { readsLogOnly: true } as const;

export function readsLogOnly({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return extensions['readsLogOnly'] === true;
}
