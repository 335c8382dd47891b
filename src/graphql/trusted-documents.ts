import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ErrorLog, GatewayError } from '../errors.js';
import { MAX_NAME_LENGTH } from './cost-limit.js';

/**
 * `off`: documents are sent as text. `log`: also by id; what is sent as text and not listed runs, and is noted in the log. `require`: by id alone.
 */
export const TRUSTED_MODES = ['off', 'log', 'require'] as const;
export type TrustedMode = (typeof TRUSTED_MODES)[number];

export interface TrustedDocuments {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<unknown>;
}

/** A list of documents that cannot be read as one. */
export class TrustedDocumentsError extends Error {}

/** What graphql-codegen writes (`persistedDocuments`), and what Apollo's tool does. */
const manifest = z.union([
  z
    .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((documents) => Object.entries(documents)),
]);

/**
 * Reads lists of trusted documents.
 * @throws TrustedDocumentsError that names the file that is none
 */
export function readTrustedDocuments(files: readonly string[]): TrustedDocuments {
  const byId = new Map(
    files.flatMap((file) => {
      try {
        return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).map(([id, text]) => [withoutAlgorithm(id), text] as const);
      } catch (cause) {
        throw new TrustedDocumentsError(
          `${file} is no list of trusted documents, such as graphql-codegen writes (persisted-documents.json).`,
          {
            cause,
          },
        );
      }
    }),
  );
  return { byId, texts: new Set(byId.values()) };
}

/** The parameters of a GraphQL request, as far as they say which document it is. */
export interface DocumentParameters {
  readonly query?: unknown;
  readonly operationName?: unknown;
  /** Of GraphQL over HTTP's appendix on persisted documents. */
  readonly documentId?: unknown;
  /** With the hash of a document in the way of Apollo's clients; as JSON in a URL. */
  readonly extensions?: unknown;
}

/**
 * The text of the document that a request means by an id; null where it sends the text itself.
 * @throws GatewayError PermissionError for a text where ids are required, BadDataError for an id that is not listed
 */
export function resolveDocument(
  { mode, documents }: { readonly mode: TrustedMode; readonly documents: TrustedDocuments },
  parameters: DocumentParameters,
  log: ErrorLog,
): string | null {
  if (mode === 'off') return null;
  const id = idOf(parameters);
  if (id === null) {
    if (mode === 'require') throw onlyTrusted();
    if (!documents.texts.has(parameters.query)) log.warn(describe(parameters), 'a document that is not trusted');
    return null;
  }
  const text = documents.byId.get(id);
  if (text === undefined) throw new GatewayError('BadDataError', 'There is no trusted document with this id.');
  return text;
}

/** The line of the log: the hash of its text and its name; not its text, which may hold values. */
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

/** What else the extensions of a request say than which document it is; null for nothing. */
export function withoutHash(extensions: unknown): object | null {
  const { persistedQuery: _, ...others } = (parseExtensions(extensions) ?? {}) as { persistedQuery?: unknown };
  return Object.keys(others).length > 0 ? others : null;
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
    'This gateway runs trusted documents only, which are sent by their id (documentId). What is sent as text, as from an IDE, is refused.',
  );
}
