import type { RawResponse } from './send-raw.js';

export interface ResponseExpectations {
  /** Whether errors have the form of GraphQL. They do not for a method that the path does not support. */
  readonly isGraphql: boolean;
  readonly isHead: boolean;
  readonly secrets: readonly string[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Texts that no response may contain. In JSON, the line breaks of a stack are escaped. */
const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['SQL', /\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|\bSQLSTATE\b|\bsyntax error at or near\b/i],
  ['a stack', /(?:\n|\\n)\s+at /],
  ['a module', /node_modules|node:internal|prisma|pglite/i],
  ['a file', /file:\/\/|\.(?:js|ts):\d+/],
];

/** Returns the flaws of a response, regardless of the request. */
export function flawsOf(response: RawResponse, { isGraphql, isHead, secrets }: ResponseExpectations): string[] {
  const { status, text, body } = response;
  const leaks = FORBIDDEN.flatMap(([what, pattern]) => (pattern.test(text) ? [`contains ${what}`] : []));
  if (text.includes(process.cwd())) leaks.push('contains the path of the checkout');
  if (secrets.some((secret) => text.includes(secret))) leaks.push('contains an API token');
  if (status >= 500) leaks.push(`status ${status}`);
  return [...leaks, ...(isHead ? [] : formFlaws(status, body, isGraphql))];
}

function formFlaws(status: number, body: RawResponse['body'], isGraphql: boolean): string[] {
  if (isGraphql && Array.isArray(body?.errors)) return body.errors.flatMap(graphqlErrorFlaws);
  if (body?.jsonrpc === '2.0') return body.error === undefined ? [] : errorBodyFlaws(body.error.data);
  return status < 400 ? [] : errorBodyFlaws(body);
}

function graphqlErrorFlaws({ message, extensions }: { message?: unknown; extensions?: Record<string, unknown> }): string[] {
  const code = extensions?.['code'];
  return [
    ...errorBodyFlaws(extensions),
    ...(typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR' ? [] : [`code ${code}`]),
    ...(message === extensions?.['message'] ? [] : ['two messages']),
  ];
}

/** Checks the error body of spec 2.7. */
function errorBodyFlaws(body: Record<string, unknown> | undefined): string[] {
  const { id, name, message } = body ?? {};
  return [
    ...(typeof id === 'string' && UUID.test(id) ? [] : ['no id']),
    ...(typeof name === 'string' && name !== '' && name !== 'InternalError' ? [] : ['no error name']),
    ...(typeof message === 'string' && message !== '' ? [] : ['no message']),
  ];
}
