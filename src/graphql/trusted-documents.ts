import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ErrorLog, GatewayError, OperatorError } from '../errors.js';
import { MAX_NAME_LENGTH } from '../telemetry/request-statistics.js';

/** `off`: clients send text. `log`: clients send text or ids, and unlisted text is logged. `require`: clients send ids. */
export const TRUSTED_MODES = ['off', 'log', 'require'] as const;
export type TrustedMode = (typeof TRUSTED_MODES)[number];

export interface TrustedDocuments {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<unknown>;
}

export const NO_DOCUMENTS: ReadonlyMap<string, string> = new Map();

/** A file cannot be read, or is not a list of trusted documents. */
export class TrustedDocumentsError extends OperatorError {}

/** Parses a list in the format of Apollo's persisted query manifests, or of graphql-codegen: a map from hashes to documents. */
const manifest = z.union([
  z
    .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((documents) => Object.entries(documents)),
]);

/**
 * Reads lists of trusted documents.
 * @throws TrustedDocumentsError with the name of a file that cannot be read, or is not such a list
 */
export function readTrustedDocuments(files: readonly string[]): TrustedDocuments {
  const byId = new Map(
    files.flatMap((file) => {
      const text = readList(file);
      try {
        return manifest.parse(JSON.parse(text)).map(([id, document]) => [withoutAlgorithm(id), document] as const);
      } catch (cause) {
        const problem = `${file} in TRUSTED_DOCUMENTS_FILES is not a list of trusted documents. Name a file such as the persisted-documents.json of graphql-codegen.`;
        throw new TrustedDocumentsError(problem, { cause });
      }
    }),
  );
  return { byId, texts: new Set(byId.values()) };
}

/** The reasons why a file cannot be read, by the error code of the operating system. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by the user of the gateway',
};

function readList(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = UNREADABLE[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read';
    throw new TrustedDocumentsError(`${file} in TRUSTED_DOCUMENTS_FILES ${reason}. Correct its path, or its access rights.`, {
      cause,
    });
  }
}

/** The parameters of a GraphQL request that identify its document. */
export interface DocumentParameters extends Readonly<Record<string, unknown>> {
  readonly query?: unknown;
  readonly operationName?: unknown;
  /** The document's id. GraphQL over HTTP defines this parameter in its appendix on persisted documents. */
  readonly documentId?: unknown;
  /** Contains the hash of the document in requests of Apollo clients. In a URL, the extensions are JSON text. */
  readonly extensions?: unknown;
}

/**
 * Returns the text of the document that the request names by id. Returns null if the request contains the text, and in the mode
 * `off` for any id that is not the gateway's own.
 * @param trusted `own` has the documents of the gateway's own pages, which are trusted in every mode
 * @throws GatewayError PermissionError for a text if ids are required, BadDataError for an id that is not listed
 */
export function resolveDocument(
  trusted: { readonly mode: TrustedMode; readonly documents: TrustedDocuments; readonly own: ReadonlyMap<string, string> },
  parameters: DocumentParameters,
  log: ErrorLog,
): string | null {
  const { mode, documents, own } = trusted;
  const id = idOf(parameters);
  const ownText = id === null ? undefined : own.get(id);
  if (ownText !== undefined) return ownText;
  if (mode === 'off') return null;
  if (id === null) {
    if (mode === 'require') throw onlyTrusted();
    if (!documents.texts.has(parameters.query)) log.warn(describe(parameters), 'a client sent a document that is not trusted');
    return null;
  }
  const text = documents.byId.get(id);
  if (text === undefined) throw new GatewayError('BadDataError', 'No trusted document has this id.');
  return text;
}

/** Returns the log fields of a document: the hash of its text, and its name. The text is not logged: it may contain user data. */
function describe({ query, operationName }: DocumentParameters) {
  const sha256 = typeof query === 'string' ? createHash('sha256').update(query).digest('hex') : null;
  return {
    trusted: false,
    sha256,
    operation: typeof operationName === 'string' ? operationName.slice(0, MAX_NAME_LENGTH) : null,
  };
}

function idOf({ documentId, extensions }: DocumentParameters): string | null {
  if (typeof documentId === 'string') return withoutAlgorithm(documentId);
  const hash = (parseExtensions(extensions) as { persistedQuery?: { sha256Hash?: unknown } } | null)?.persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : null;
}

/** Replaces the id of a document, or its hash, by the text of the document, which Apollo Server needs. */
export function withDocument<Parameters extends DocumentParameters>(parameters: Parameters, query: string): Parameters {
  const { documentId: _, extensions, ...others } = parameters;
  const { persistedQuery: __, ...rest } = (parseExtensions(extensions) ?? {}) as { persistedQuery?: unknown };
  const hasOthers = Object.keys(rest).length > 0;
  const kept = typeof extensions === 'string' ? JSON.stringify(rest) : rest;
  return { ...others, query, ...(hasOthers && { extensions: kept }) } as Parameters;
}

function parseExtensions(extensions: unknown): unknown {
  if (typeof extensions !== 'string') return extensions;
  try {
    return JSON.parse(extensions);
  } catch {
    return null;
  }
}

function withoutAlgorithm(id: string): string {
  return id.replace(/^sha256:/, '');
}

function onlyTrusted(): GatewayError {
  return new GatewayError(
    'PermissionError',
    'This gateway runs trusted documents only. Send the id of a document (documentId). A document sent as text, as from an IDE, is rejected.',
  );
}
