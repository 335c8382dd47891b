/** Marks root fields that read only the event log. Responses with other fields may contain a secret, and are not cached. */
export const READS_LOG_ONLY = { readsLogOnly: true } as const;
