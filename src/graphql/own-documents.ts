import { hash } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, type GraphQLSchema, getOperationAST, print, validate } from 'graphql';
import { GatewayError } from '../errors.js';
import type { JsonList } from '../formats/json-text.js';
import type { RequestContext } from '../request-context.js';
import type { CostedOperation } from './cost.js';
import type { OperationCosts } from './cost-limit.js';
import type { ErrorMask } from './format-error.js';
import type { RunOperation } from './run-operation.js';

interface Options {
  readonly costs: OperationCosts;
  readonly mask: ErrorMask;
  readonly runOperation: RunOperation;
}

export type PageOptions = Pick<RequestContext, 'isContinuation' | 'pageCharacters'>;

/** The data of an operation, with each list as JSON text. */
type WithTextLists<Data> = Data extends readonly unknown[]
  ? JsonList
  : Data extends object
    ? { readonly [Key in keyof Data]: WithTextLists<Data[Key]> }
    : Data;

/** Runs the gateway's own documents on the schema, in this process. */
export type OwnDocuments = ReturnType<typeof createOwnDocuments>;

/**
 * Validates the gateway's own documents once, and returns functions that run them. A run skips parsing, validation and the limits
 * of documents. It has the cost, budget and error masking of any other document (docs/decisions/001-one-way-to-the-data.md).
 * @throws Error if a document is not valid on the schema
 */
export function createOwnDocuments(
  schema: GraphQLSchema,
  documents: readonly DocumentNode[],
  { costs, mask, runOperation }: Options,
) {
  const operations = new Map<object, Omit<CostedOperation, 'variables'>>(
    documents.map((document) => [document, toOperation(schema, document)]),
  );

  const run = async (
    ownDocument: object,
    variables: Record<string, unknown>,
    requestContext: RequestContext,
    options?: PageOptions,
  ): Promise<unknown> => {
    const context = options ? { ...requestContext, ...options } : requestContext;
    const validated = operations.get(ownDocument);
    if (!validated) throw new Error('The document is not one of those that createOwnDocuments validated.');
    // A spread would make V8 create new hidden classes for each request (docs/decisions/044-pages-beside-postgraphile.md).
    const { document, operation, operationName, queryHash } = validated;
    try {
      await costs.charge(costs.find({ document, operation, operationName, queryHash, variables }, context), context);
      const { data, errors = [] } = await runOperation({ document, operation, operationName, variables, context });
      for (const error of errors.slice(1)) mask(error).logTo(context.log);
      if (errors[0]) throw errors[0];
      return data;
    } catch (thrown) {
      // The error is logged here, because a response that has already begun cannot report it.
      const error = thrown instanceof GatewayError ? thrown : mask(thrown as Error);
      error.logTo(context.log);
      throw error;
    }
  };

  return {
    /**
     * Runs a query of the log. The lists in the returned data are JSON text.
     * @throws GatewayError the error that a client over HTTP would get
     */
    query: <Data, Variables extends Record<string, unknown>>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
      context: RequestContext,
      options?: PageOptions,
    ) => run(document, variables, context, options) as Promise<WithTextLists<Data>>,

    /**
     * Runs an operation on public signup tokens.
     * @throws GatewayError the error that a client over HTTP would get
     */
    execute: <Data, Variables extends Record<string, unknown>>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
      context: RequestContext,
    ) => run(document, variables, context) as Promise<Data>,
  };
}

function toOperation(schema: GraphQLSchema, document: DocumentNode): Omit<CostedOperation, 'variables'> {
  const [problem] = validate(schema, document);
  if (problem) throw problem;
  const operation = getOperationAST(document);
  if (!operation) throw new Error('Each document of the gateway must have exactly one operation.');
  return { document, operation, operationName: operation.name?.value ?? null, queryHash: hash('sha256', print(document)) };
}
