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

/** Turns what Apollo Server caught into an error of the table. */
export type ErrorMask = (error: Error) => GatewayError;

/** Turns what was thrown outside GraphQL into an error of the table. */
export type ToGatewayError = (thrown: unknown) => GatewayError;

/**
 * The error-masking policy, default deny: an error of our own table passes, one that tells of a wrong request passes with its message,
 * everything else is what `toGatewayError` makes of it. The same error gets the same answer, and so the same id, each time.
 */
export function createErrorMask(toGatewayError: ToGatewayError): ErrorMask {
  const masked = new WeakMap<Error, GatewayError>();
  return (error) => {
    const known = masked.get(error) ?? mask(error, toGatewayError);
    masked.set(error, known);
    return known;
  };
}

function mask(error: Error, toGatewayError: ToGatewayError): GatewayError {
  if (error instanceof GraphQLError && error.originalError instanceof GatewayError) return error.originalError;
  const cause = unwrapResolverError(error);
  if (cause instanceof GatewayError) return cause;
  if (error instanceof GraphQLError && (CLIENT_CODES.has(error.extensions.code) || isDocumentError(cause))) {
    return new GatewayError('BadDataError', error.message, { details: detailsOf(error), cause });
  }
  return toGatewayError(cause);
}

/** Where graphql-js finds mistakes when it executes a document: in the values of arguments, and in the operation itself. Never in fields. */
const MISTAKEN: ReadonlySet<string> = new Set<Kind>([
  Kind.OPERATION_DEFINITION,
  Kind.VARIABLE,
  Kind.NULL,
  Kind.LIST,
  Kind.OBJECT,
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.ENUM,
]);

/**
 * Some mistakes graphql-js finds only when it executes, and gives the error no code: a null variable in a non-null argument, and an operation
 * of a kind that the schema does not have.
 */
function isDocumentError(cause: unknown): boolean {
  if (!(cause instanceof GraphQLError) || cause.originalError) return false;
  return cause.nodes?.every(({ kind }) => MISTAKEN.has(kind)) === true;
}

const INPUT_PATH = /^Variable "\$(\w+)" got invalid value .*? at "([\w.[\]]+)"/s;
const VARIABLE = /^Variable "\$(\w+)"/;

/** The variable or input field that a message of graphql-js speaks of. */
function detailsOf({ message }: GraphQLError): ErrorDetail[] {
  const path = INPUT_PATH.exec(message)?.[2] ?? VARIABLE.exec(message)?.[1];
  return path === undefined ? [] : [{ path, message }];
}

/** An error of the table as Apollo Server takes it before anything is executed: with its status. */
export function toGraphqlError(error: GatewayError): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status: error.status } } });
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
