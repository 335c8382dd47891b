import { ApolloServerErrorCode, unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { type ErrorDetail, GatewayError } from '../errors.js';

/** Codes by which graphql-js and Apollo Server say that the request was wrong; their messages speak of the document alone. */
const CLIENT_CODES: ReadonlySet<unknown> = new Set<string>([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

/** Turns what was thrown outside GraphQL into an error of the table. */
export type ToGatewayError = (thrown: unknown) => GatewayError;

/**
 * The error-masking policy, default deny: an error of our own table passes, one that tells of a wrong request passes with its message,
 * everything else is what `toGatewayError` makes of it. The same error gets the same answer, and so the same id, each time.
 */
export function createErrorMask(toGatewayError: ToGatewayError): (error: GraphQLError) => GatewayError {
  const masked = new WeakMap<GraphQLError, GatewayError>();
  return (error) => {
    const known = masked.get(error) ?? mask(error, toGatewayError);
    masked.set(error, known);
    return known;
  };
}

function mask(error: GraphQLError, toGatewayError: ToGatewayError): GatewayError {
  const cause = unwrapResolverError(error);
  if (cause instanceof GatewayError) return cause;
  if (CLIENT_CODES.has(error.extensions.code) || isDocumentError(error)) {
    return new GatewayError('BadDataError', error.message, { details: detailsOf(error), cause });
  }
  return toGatewayError(cause);
}

/**
 * Some mistakes graphql-js finds only when it executes, and gives the error no code: a null variable in a non-null argument, and an operation of a
 * kind that the schema does not have.
 */
function isDocumentError(error: GraphQLError): boolean {
  const kinds: readonly Kind[] = [Kind.VARIABLE, Kind.OPERATION_DEFINITION];
  return !error.originalError && error.nodes?.some(({ kind }) => kinds.includes(kind)) === true;
}

const INPUT_PATH = /^Variable "\$(\w+)" got invalid value .*? at "([\w.[\]]+)"/s;
const VARIABLE = /^Variable "\$(\w+)"/;

/** The variable or input field that a message of graphql-js speaks of. */
function detailsOf({ message }: GraphQLError): ErrorDetail[] {
  const path = INPUT_PATH.exec(message)?.[2] ?? VARIABLE.exec(message)?.[1];
  return path === undefined ? [] : [{ path, message }];
}

/** What a client sees: message, place, and our error body beside the code. Apollo's own code of a request error is kept. */
export function toFormattedError(error: GraphQLFormattedError, masked: GatewayError): GraphQLFormattedError {
  const code = CLIENT_CODES.has(error.extensions?.code) ? error.extensions?.code : masked.code;
  return {
    message: masked.message,
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
    extensions: { code, ...masked.toBody() },
  };
}

/** The answer of a GraphQL request that ended before it reached the executor. */
export function toRequestErrors(error: GatewayError): { errors: [GraphQLFormattedError] } {
  return { errors: [{ message: error.message, extensions: { code: error.code, ...error.toBody() } }] };
}
