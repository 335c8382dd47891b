import * as documents from './generated/console/graphql.js';

/** The console's GraphQL documents by id, from its generated client. They are trusted in addition to the configured lists. */
export const CONSOLE_DOCUMENTS: ReadonlyMap<string, string> = new Map(
  Object.values(documents).flatMap((document) => {
    if (!(document instanceof documents.TypedDocumentString)) return [];
    const id: unknown = document.__meta__?.['hash'];
    return typeof id === 'string' ? [[id.replace(/^sha256:/, ''), document.toString()] as const] : [];
  }),
);
