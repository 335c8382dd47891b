import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problems } from '../errors.js';
import type { DocumentChecks } from '../graphql/document-checks.js';
import { type StartStream, StreamError, type StreamParameters, type StreamResults } from '../graphql/start-stream.js';
import { sendStream } from '../http/stream-response.js';
import { chooseStreamFormat, type StreamFormat } from './stream-format.js';

/** Creates the function that streams the results of a POST. The function returns null unless the client prefers a stream. */
export function createHttpStreams(startStream: StartStream, { chargeRejected }: Pick<DocumentChecks, 'chargeRejected'>) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | null => {
    const format = chooseStreamFormat(request.headers.accept);
    return format && stream(request, reply, format);
  };

  async function stream(request: FastifyRequest, reply: FastifyReply, format: StreamFormat): Promise<FastifyReply> {
    const parameters = await readParameters(request);
    try {
      const results = await startStream(parameters, request.context);
      return sendStream(request, reply, format.contentType, write(results, format));
    } catch (thrown) {
      if (!(thrown instanceof StreamError)) throw thrown;
      const { errors, status, retryAfterSeconds } = thrown;
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      if (needsErrorStatus(thrown)) return reply.code(status).send({ errors });
      return sendStream(request, reply, format.contentType, writeRejection(thrown, format));
    }
  }

  async function readParameters(request: FastifyRequest): Promise<StreamParameters> {
    try {
      return parseParameters(request.body as Readonly<Record<string, unknown>>);
    } catch (rejection) {
      await chargeRejected?.(request);
      throw rejection;
    }
  }
}

/**
 * Whether the error gets an HTTP error status, because the client may succeed later or with another token. Other errors are sent
 * in the stream, as graphql-sse specifies. A client of graphql-sse repeats a request after an error status, even if no retry can
 * succeed.
 */
function needsErrorStatus({ status }: StreamError): boolean {
  return status === 401 || status === 429 || status >= 500;
}

async function* write(results: StreamResults, format: StreamFormat): AsyncGenerator<string, void> {
  let text = format.head;
  try {
    for await (const result of results) {
      yield text + format.writeResult(result);
      text = '';
    }
  } catch (thrown) {
    if (!(thrown instanceof StreamError)) throw thrown;
    text += format.writeErrors(thrown.errors);
  }
  yield text + format.end;
}

async function* writeRejection({ errors }: StreamError, format: StreamFormat): AsyncGenerator<string, void> {
  yield format.head + format.writeErrors(errors) + format.end;
}

/** Checks the types of the parameters, which Apollo Server checks only if the response is not a stream. */
function parseParameters({ query, operationName, variables }: Readonly<Record<string, unknown>>): StreamParameters {
  const problems = new Problems();
  if (typeof query !== 'string') problems.add('query', 'must be the text of a document');
  if (operationName != null && typeof operationName !== 'string') problems.add('operationName', 'must be a string');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    problems.add('variables', 'must be an object');
  problems.throwIfAny();
  return { query, operationName, variables } as StreamParameters;
}
