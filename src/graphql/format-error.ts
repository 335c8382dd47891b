import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError, isValueNode, Kind } from 'graphql';
import { type ErrorDetail, GatewayError } from '../errors.js';
import type { ToGatewayError } from '../to-gateway-error.js';

/** Codes of graphql-js and Apollo Server for an invalid request. The messages are only about the request, so clients see them. */
const CLIENT_CODES: ReadonlySet<unknown> = new Set<string>([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

/** Converts an error that Apollo Server caught into the error that the client gets. */
export type ErrorMask = (error: Error) => GatewayError;

/**
 * The error-masking policy, default deny: a GatewayError passes, an error about an invalid request passes with its message, and
 * `toGatewayError` converts everything else. The result for an error object is always the same, with the same id.
 * @param suggestsNames whether messages may suggest names of the schema
 */
export function createErrorMask(toGatewayError: ToGatewayError, suggestsNames = true): ErrorMask {
  const masked = new WeakMap<Error, GatewayError>();
  return (error) => {
    const result = masked.get(error) ?? mask(error, toGatewayError, suggestsNames);
    masked.set(error, result);
    return result;
  };
}

/** Matches the suggestions of graphql-js for misspelled names and values. They reveal names of the schema. */
const SUGGESTION = / ?Did you mean [^?]*\?/g;

function mask(error: Error, toGatewayError: ToGatewayError, suggestsNames: boolean): GatewayError {
  if (error instanceof GraphQLError && error.originalError instanceof GatewayError) return error.originalError;
  const cause = unwrapResolverError(error);
  if (cause instanceof GatewayError) return cause;
  if (error instanceof GraphQLError && (CLIENT_CODES.has(error.extensions.code) || isDocumentError(cause))) {
    const message = suggestsNames ? error.message : error.message.replaceAll(SUGGESTION, '');
    return new GatewayError('BadDataError', message, { details: detailsOf(message), cause });
  }
  return toGatewayError(cause);
}

/**
 * Whether an error without a code is about the document. Execution finds two such errors: a null variable for a non-null
 * argument, and an operation type that the schema lacks. An error that a field throws is never about the document.
 */
function isDocumentError(cause: unknown): boolean {
  if (!(cause instanceof GraphQLError) || cause.originalError) return false;
  return cause.nodes?.every((node) => node.kind === Kind.OPERATION_DEFINITION || isValueNode(node)) === true;
}

const INPUT_PATH = /^Variable "\$(\w+)" got invalid value .*? at "([\w.[\]]+)"/s;
const VARIABLE = /^Variable "\$(\w+)"/;

/** Returns the variable or input field that a message of graphql-js names. */
function detailsOf(message: string): ErrorDetail[] {
  const path = INPUT_PATH.exec(message)?.[2] ?? VARIABLE.exec(message)?.[1];
  return path === undefined ? [] : [{ path, message }];
}

/** Converts a GatewayError to an error that Apollo Server accepts before execution, with its HTTP status. */
export function toGraphqlError(error: GatewayError): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status: error.status } } });
}

/** Returns the error that a client sees: message, place, code and error body. Keeps Apollo's own codes of request errors. */
export function toFormattedError(error: GraphQLFormattedError, masked: GatewayError): GraphQLFormattedError {
  const code = CLIENT_CODES.has(error.extensions?.code) ? error.extensions?.code : masked.code;
  return {
    message: masked.message,
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
    extensions: { code, ...masked.toBody() },
  };
}

/** Returns the response body for a GraphQL request that failed before it reached the executor. */
export function toRequestErrors(error: GatewayError): { errors: [GraphQLFormattedError] } {
  return { errors: [{ message: error.message, extensions: { code: error.code, ...error.toBody() } }] };
}
