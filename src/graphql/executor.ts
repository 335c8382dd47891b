import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type GraphQLSchema, NoSchemaIntrospectionCustomRule, print } from 'graphql';
import { type ErrorLog, GatewayError } from '../errors.js';
import { toJson } from '../formats/json-text.js';
import type { ReadLogVersion } from '../log-version/version.js';
import type { RequestContext } from '../request-context.js';
import { type Compiling, createCompiledExecutor } from './compiled-queries.js';
import { createConditionalGet } from './conditional-get.js';
import { CONTINUATION, type CostLimits, createCostLimit, type Spend } from './cost-limit.js';
import { createDocumentRules, type DocumentLimits } from './document-limits.js';
import { createErrorMask, type ErrorMask, type ToGatewayError, toFormattedError } from './format-error.js';
import { chooseResponseStatus } from './response-status.js';

/** The validation errors in one response. Finding all of thousands would take too long. */
const MAX_MISTAKES = 5;

/** A logger for errors of the gateway and for messages of Apollo Server. */
type Log = ErrorLog & NonNullable<ApolloServerOptions<RequestContext>['logger']>;

export interface ExecutorOptions {
  readonly log: Log;
  readonly toGatewayError: ToGatewayError;
  readonly readVersion: ReadLogVersion;
  readonly limits: DocumentLimits & CostLimits;
  readonly spend: Spend;
  /** Whether clients can query the schema. */
  readonly introspection: boolean;
  /** Conditions for compiling a document. Null never compiles. */
  readonly compiling: Compiling | null;
}

export interface ExecuteOptions {
  /** Whether this is a further page of a response that was already accepted. It is charged, but the budget does not reject it. */
  readonly isContinuation?: boolean;
}

export type GraphqlExecutor = Awaited<ReturnType<typeof startExecutor>>;

/** Runs a typed document on the schema, in this process. */
export type Execute = GraphqlExecutor['execute'];

/** Starts Apollo Server on the schema. It runs every operation, from HTTP and from the REST shim. */
export async function startExecutor(schema: GraphQLSchema, options: ExecutorOptions) {
  const { log, toGatewayError, readVersion, limits, spend, introspection, compiling } = options;
  const mask = createErrorMask(toGatewayError, introspection);
  const apollo = new ApolloServer<RequestContext>({
    ...(compiling ? { gateway: createCompiledExecutor(schema, compiling) } : { schema }),
    // A browser sends these headers to another origin only after a preflight request, so no page can forge such a request.
    csrfPrevention: { requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'] },
    formatError: (formatted, thrown) => toFormattedError(formatted, mask(thrown as Error)),
    stringifyResult: toJson,
    parseOptions: { maxTokens: limits.maxTokens },
    // The error of Apollo Server's own rule tells clients how to configure the server.
    validationRules: [...createDocumentRules(limits, log), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    maxRecursiveSelections: limits.maxSelections,
    logger: log,
    includeStacktraceInErrorResponses: false,
    introspection: true,
    // If clients cannot query the schema, validation errors must not reveal its names either.
    hideSchemaDetailsFromClientErrors: !introspection,
    validationOptions: { maxErrors: MAX_MISTAKES },
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // The cache control plugin wraps every resolver, for headers that this API does not send.
      ApolloServerPluginCacheControlDisabled(),
      logErrors(mask, log),
      createConditionalGet(schema, readVersion, toGatewayError),
      createCostLimit(schema, limits, spend, toGatewayError),
      chooseResponseStatus(limits.maxTokens),
    ],
  });
  await apollo.start();

  return {
    apollo,

    /**
     * Runs one document in this process and returns its data.
     * @throws GatewayError the error that a client over HTTP would get, already logged
     */
    async execute<Data, Variables extends Record<string, unknown>>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
      context: RequestContext,
      { isContinuation = false }: ExecuteOptions = {},
    ): Promise<Data> {
      const request = { query: textOf(document), variables, ...(isContinuation && { extensions: CONTINUATION }) };
      const { body } = await apollo.executeOperation<Data, Variables>(request, { contextValue: context });
      if (body.kind !== 'single') throw new Error('An operation of the gateway itself has an incremental response.');
      const { data, errors } = body.singleResult;
      if (errors?.[0]) throw GatewayError.fromBody(errors[0].extensions);
      return data as Data;
    },
  };
}

const texts = new WeakMap<object, string>();

/** Apollo Server accepts only text. Printing the document again for each request would be slow. */
function textOf(document: TypedDocumentNode<unknown, never>): string {
  const text = texts.get(document) ?? print(document);
  texts.set(document, text);
  return text;
}

/** Logs each error of a response once, with the id that the client gets. An error of the gateway is logged with its cause. */
function logErrors(mask: ErrorMask, log: ErrorLog): ApolloServerPlugin<RequestContext> {
  return {
    // A request that is not a GraphQL request has no context yet.
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
