import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';
import { isNestedDeeper, JSON_NESTING_RULE, MAX_JSON_NESTING } from '../formats/raw-json.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts only uncompressed bodies in UTF-8, and JSON of limited nesting. */
export function registerBodyRules(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, body, done) => {
    done(findProblem(request), body);
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(body as Buffer);
    if (text === null) done(new GatewayError('BadDataError', 'The body is not valid UTF-8.'));
    else if (isNestedDeeper(text, MAX_JSON_NESTING))
      done(new GatewayError('BadDataError', `The JSON of the body ${JSON_NESTING_RULE}.`));
    else parse(request, text, done);
  });
}

function findProblem({ method, headers }: FastifyRequest): GatewayError | null {
  if (method === 'GET' || method === 'HEAD') return null;
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') return new GatewayError('ContentTypeError', 'The body must not be compressed.');
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return new GatewayError('ContentTypeError', 'The charset of the body must be UTF-8.');
  return null;
}

function decode(bytes: Buffer): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}
