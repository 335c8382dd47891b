import * as documents from './generated/console/graphql.js';

/** The documents of the console by id, from the client that codegen generates. They run without being in a list of documents. */
export const CONSOLE_DOCUMENTS: ReadonlyMap<string, string> = new Map(
  Object.values(documents).flatMap((document) => {
    if (!(document instanceof documents.TypedDocumentString)) return [];
    const id: unknown = document.__meta__?.['hash'];
    return typeof id === 'string' ? [[id.replace(/^sha256:/, ''), document.toString()] as const] : [];
  }),
);
