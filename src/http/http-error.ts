import { GatewayError } from '../errors.js';
import type { ToGatewayError } from '../to-gateway-error.js';

/** An error that Fastify throws, with an HTTP status and a code such as `FST_ERR_BAD_URL`. */
interface FastifyError {
  readonly statusCode: number;
  readonly code?: string;
}

const MESSAGES: Record<string, string> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; it must be a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'Invalid JSON in the body.',
  FST_ERR_BAD_URL: 'The path cannot be decoded: every % must start a percent-encoded UTF-8 character.',
};

/** Converts anything that a handler or Fastify threw. Hides Fastify's messages, since they may quote the request. */
export function toHttpError(
  thrown: unknown,
  toGatewayError: ToGatewayError,
  { maxBodyBytes }: { readonly maxBodyBytes: number },
): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (!isClientError(thrown)) return toGatewayError(thrown);
  if (thrown.statusCode === 413)
    return new GatewayError('PayloadTooLargeError', `The body is larger than ${maxBodyBytes} bytes.`, { cause: thrown });
  if (thrown.statusCode === 415)
    return new GatewayError('ContentTypeError', 'The content-type must be application/json.', { cause: thrown });
  const message = MESSAGES[thrown.code ?? ''] ?? 'The request is not valid.';
  return new GatewayError('BadDataError', message, { cause: thrown });
}

function isClientError(thrown: unknown): thrown is FastifyError {
  const status = (thrown as Partial<FastifyError> | null)?.statusCode;
  return status !== undefined && status >= 400 && status < 500;
}
