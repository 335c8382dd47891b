import { type TSchema, Type } from '@sinclair/typebox';
import { ERRORS, type ErrorName } from '../errors.js';
import { refTo } from './wire-schemas.js';

/** The errors that every operation can return. */
const COMMON: readonly ErrorName[] = [
  'AuthenticationRequired',
  'UnauthorizedError',
  'RequestTimeoutError',
  'PayloadTooLargeError',
  'TooManyRequestsError',
  'InternalError',
  'ServiceUnavailableError',
];

const ErrorDetail = Type.Object(
  {
    path: Type.String({ description: 'The place of the problem: the name of a parameter, or the path of a field of the body.' }),
    message: Type.String({ description: 'The rule that the request breaks.' }),
  },
  { $id: 'ErrorDetail', description: 'One problem of a request.' },
);

/** The error body of spec 2.7. */
const ErrorBody = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of this error, also in the log of the gateway.' }),
    name: Type.String({
      enum: Object.keys(ERRORS).filter((name) => name !== 'ClientClosedRequest'),
      description: 'The name of the kind of error. Each response of an operation lists the names that it can have.',
    }),
    message: Type.String({ description: 'A message that describes the error.' }),
    details: Type.Optional(Type.Array(refTo(ErrorDetail), { description: 'Every problem of the request.' })),
    oldest: Type.Optional(
      Type.String({ description: 'For `FeedResetError`: the cursor of the feed before all events of the log.' }),
    ),
    newest: Type.Optional(
      Type.String({ description: 'For `FeedResetError`: the cursor of the feed after the events that the log has.' }),
    ),
  },
  { $id: 'Error', description: 'The body of every error response.' },
);

/** The schemas of errors in the OpenAPI document. */
export const ERROR_SCHEMAS = [ErrorBody, ErrorDetail];

/** Returns the error responses for the documentation of an operation, from the names of the errors it can return. */
export function errorResponses(...names: readonly ErrorName[]): Record<number, TSchema & { description: string }> {
  const all = [...COMMON, ...names];
  const statuses = [...new Set(all.map((name) => ERRORS[name].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const sameStatus = all.filter((name) => ERRORS[name].status === status);
      return [status, { ...refTo(ErrorBody), description: sameStatus.join(' or ') }];
    }),
  );
}
