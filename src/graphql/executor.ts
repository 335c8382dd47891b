import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type GraphQLSchema, NoSchemaIntrospectionCustomRule, print } from 'graphql';
import { type ErrorLog, GatewayError } from '../errors.js';
import type { ReadLogVersion } from '../formats/entity-tag.js';
import { toJson } from '../formats/json-text.js';
import type { RequestContext } from '../request-context.js';
import { COMPILING, type Compiling, createCompiledExecutor } from './compiled-queries.js';
import { createConditionalGet } from './conditional-get.js';
import { CONTINUATION, type CostLimits, createCostLimit, type Spend } from './cost-limit.js';
import { createDocumentRules, type DocumentLimits } from './document-limits.js';
import { createErrorMask, type ErrorMask, type ToGatewayError, toFormattedError } from './format-error.js';
import { respondOkToLegacyClients, respondUnavailable } from './response-status.js';

/** So many mistakes of a document are told; to find all of thousands would take long. */
const MAX_MISTAKES = 5;

/** Takes errors of the gateway, and what Apollo Server has to say. */
type Log = ErrorLog & NonNullable<ApolloServerOptions<RequestContext>['logger']>;

export interface ExecutorOptions {
  readonly log: Log;
  readonly toGatewayError: ToGatewayError;
  readonly readVersion: ReadLogVersion;
  readonly limits: DocumentLimits & CostLimits;
  readonly spend: Spend;
  /** Whether clients may ask for the schema. */
  readonly introspection: boolean;
  /** When a document is compiled; null never compiles one. */
  readonly compiling?: Compiling | null | undefined;
}

export interface ExecuteOptions {
  /** Whether the document reads a further page of a response that was accepted before: its cost is deducted, but it is not rejected. */
  readonly isContinuation?: boolean;
}

export type GraphqlExecutor = Awaited<ReturnType<typeof startExecutor>>;

/** Starts Apollo Server on the schema. Everything that is executed, over HTTP or by the REST shim, goes through it. */
export async function startExecutor(schema: GraphQLSchema, options: ExecutorOptions) {
  const { log, toGatewayError, readVersion, limits, spend, introspection, compiling = COMPILING } = options;
  const mask = createErrorMask(toGatewayError);
  const apollo = new ApolloServer<RequestContext>({
    ...(compiling ? { gateway: createCompiledExecutor(schema, compiling) } : { schema }),
    // A browser sends none of these headers across origins without asking first, so none of these requests can be forged by a page.
    csrfPrevention: { requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'] },
    formatError: (formatted, thrown) => toFormattedError(formatted, mask(thrown as Error)),
    stringifyResult: toJson,
    parseOptions: { maxTokens: limits.maxTokens },
    // Apollo Server's own rule would tell clients how to configure it.
    validationRules: [...createDocumentRules(limits, log), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    maxRecursiveSelections: limits.maxSelections,
    logger: log,
    includeStacktraceInErrorResponses: false,
    introspection: true,
    // Who may not ask for the schema learns nothing of it from mistakes either.
    hideSchemaDetailsFromClientErrors: !introspection,
    validationOptions: { maxErrors: MAX_MISTAKES },
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It wraps every resolver, for headers that this API does not send.
      ApolloServerPluginCacheControlDisabled(),
      logErrors(mask, log),
      createConditionalGet(schema, readVersion, toGatewayError),
      createCostLimit(schema, limits, spend, toGatewayError),
      respondOkToLegacyClients(limits.maxTokens),
      respondUnavailable,
    ],
  });
  await apollo.start();

  return {
    apollo,

    /**
     * Runs one document in this process and returns its data.
     * @throws GatewayError as a client over HTTP would see it, already in the log
     */
    async execute<Data, Variables extends Record<string, unknown>>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
      context: RequestContext,
      { isContinuation = false }: ExecuteOptions = {},
    ): Promise<Data> {
      const request = { query: textOf(document), variables, ...(isContinuation && { extensions: CONTINUATION }) };
      const { body } = await apollo.executeOperation<Data, Variables>(request, { contextValue: context });
      if (body.kind !== 'single') throw new Error('An operation of the gateway itself was answered in parts.');
      const { data, errors } = body.singleResult;
      if (errors?.[0]) throw GatewayError.fromBody(errors[0].extensions);
      return data as Data;
    },
  };
}

const texts = new WeakMap<object, string>();

/** Apollo takes text, and would print the document again for each request. */
function textOf(document: TypedDocumentNode<unknown, never>): string {
  const text = texts.get(document) ?? print(document);
  texts.set(document, text);
  return text;
}

/** Each error of an answer in the log once, under the id the client gets; what is ours to mend with its cause. */
function logErrors(mask: ErrorMask, log: ErrorLog): ApolloServerPlugin<RequestContext> {
  return {
    // What is no GraphQL request at all has no context yet.
    async invalidRequestWasReceived({ error }) {
      mask(error).logTo(log);
    },
    async unexpectedErrorProcessingRequest({ error }) {
      mask(error).logTo(log);
    },
    async requestDidStart() {
      return {
        async didEncounterErrors({ errors, contextValue }) {
          for (const error of errors) mask(error).logTo(contextValue.log);
        },
      };
    },
  };
}
