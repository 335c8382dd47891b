import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, type GraphQLSchema, NoSchemaIntrospectionCustomRule } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ErrorLog } from '../errors.js';
import { toBody } from '../formats/json-body.js';
import type { ReadLogVersion } from '../log-version/version.js';
import type { RequestContext } from '../request-context.js';
import type { ToGatewayError } from '../to-gateway-error.js';
import { createConditionalGet } from './conditional-get.js';
import { type CostLimits, createCostLimit, createOperationCosts, type Spend } from './cost-limit.js';
import { createDocumentRules, type DocumentLimits } from './document-limits.js';
import { createErrorMask, type ErrorMask, toFormattedError } from './format-error.js';
import { createRunOrSubscribe } from './open-stream.js';
import { createOwnDocuments } from './own-documents.js';
import { respondEarly } from './respond-early.js';
import { chooseResponseStatus } from './response-status.js';
import { createRunOperation, type ExecutionOptions, type RunOperation } from './run-operation.js';
import { createStartStream } from './start-stream.js';

/** The most validation errors in one response. Finding all of thousands of errors would take too long. */
const MAX_MISTAKES = 5;

/** A logger for errors of the gateway and for messages of Apollo Server. */
type Log = ErrorLog & NonNullable<ApolloServerOptions<RequestContext>['logger']>;

export interface ExecutorOptions extends ExecutionOptions {
  readonly log: Log;
  readonly toGatewayError: ToGatewayError;
  readonly readVersion: ReadLogVersion;
  readonly limits: DocumentLimits & CostLimits;
  /** The largest page of any field. */
  readonly largestPage: number;
  readonly spend: Spend;
  /** The documents that the gateway itself runs. Each has one operation. */
  readonly ownDocuments: readonly DocumentNode[];
  /** Whether clients can query the schema. */
  readonly introspection: boolean;
}

export type GraphqlExecutor = Awaited<ReturnType<typeof startExecutor>>;

/**
 * Starts Apollo Server on the schema, to run the documents of clients. The gateway's own documents (REST and MCP) bypass Apollo
 * Server, and are validated once at the start. Both kinds of documents share cost, budget, execution and error masking.
 */
export async function startExecutor(schema: GraphQLSchema, options: ExecutorOptions) {
  const { log, toGatewayError, readVersion, limits, largestPage, spend, introspection, ownDocuments } = options;
  const mask = createErrorMask(toGatewayError, introspection);
  const costs = createOperationCosts(schema, limits, largestPage, spend);
  const runOperation = createRunOperation(schema, options);
  const early = respondEarly(createRunOrSubscribe(schema, runOperation));
  const apollo = new ApolloServer<RequestContext>({
    gateway: toApolloGateway(schema, early.runOnce),
    // A browser sends these headers to another origin only after a preflight request, so no page can forge such a request.
    csrfPrevention: { requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'] },
    formatError: (formatted, thrown) => toFormattedError(formatted, mask(thrown as Error)),
    // The types of Apollo Server allow only text. Apollo Server passes the body on unchanged, and Fastify sends a `Buffer`, too.
    stringifyResult: toBody as (value: object) => string,
    parseOptions: { maxTokens: limits.maxTokens },
    // Replaces Apollo Server's rule against introspection, whose error tells clients how to configure the server.
    validationRules: [...createDocumentRules(limits, log), ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])],
    maxRecursiveSelections: limits.maxSelections,
    documentStore: createDocumentStore(),
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
      createCostLimit(costs, spend, toGatewayError),
      chooseResponseStatus(limits.maxTokens),
      // This plugin must be the last one, because it runs the operation. No operation runs if the conditional GET responds 304.
      early.plugin,
    ],
  });
  await apollo.start();
  return {
    apollo,
    startStream: createStartStream(apollo, mask),
    documents: createOwnDocuments(schema, ownDocuments, { costs, mask, runOperation }),
  };
}

/** The most characters of all cached documents. A parsed document takes about a hundred times as much memory as its text. */
const MAX_DOCUMENT_CHARACTERS = 512 * 1024;

/** Creates the cache of parsed documents. Apollo Server's default cache would keep five times as many. */
function createDocumentStore(): NonNullable<ApolloServerOptions<RequestContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: ({ loc }) => loc?.source.body.length || 1,
  });
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    delete: async (key) => documents.delete(key),
  };
}

/** Wraps `runOperation` as a `gateway`. Apollo Server accepts another executor than graphql-js only in this form. */
function toApolloGateway(
  schema: GraphQLSchema,
  runOperation: RunOperation,
): ApolloServerOptionsWithGateway<RequestContext>['gateway'] {
  return {
    load: async () => ({
      executor: ({ document, operation, context, request: { operationName, variables = {} } }) =>
        runOperation({ document, operation, operationName, variables, context: context as RequestContext }),
    }),
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  };
}

/** Logs each error of a response once, with the id that the client gets. An error of the gateway is logged with its cause. */
function logErrors(mask: ErrorMask, log: ErrorLog): ApolloServerPlugin<RequestContext> {
  return {
    // These two hooks use the server's log: a request that is not a GraphQL request has no context yet.
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
