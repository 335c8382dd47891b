import type { Answer } from './send-raw.js';

export interface AnswerExpectations {
  /** Errors have the form of GraphQL, unless the path has no such method. */
  readonly isGraphql: boolean;
  readonly isHead: boolean;
  readonly secrets: readonly string[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What no answer may hold. In JSON, the line breaks of a stack are escaped. */
const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['SQL', /\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|\bSQLSTATE\b|\bsyntax error at or near\b/i],
  ['a stack', /(?:\n|\\n)\s+at /],
  ['a module', /node_modules|node:internal|prisma|pglite/i],
  ['a file', /file:\/\/|\.(?:js|ts):\d+/],
];

/** What is wrong with an answer, whatever the request was. */
export function flawsOf(answer: Answer, { isGraphql, isHead, secrets }: AnswerExpectations): string[] {
  const { status, text, body } = answer;
  const leaks = FORBIDDEN.flatMap(([what, pattern]) => (pattern.test(text) ? [`holds ${what}`] : []));
  if (text.includes(process.cwd())) leaks.push('holds the path of the checkout');
  if (secrets.some((secret) => text.includes(secret))) leaks.push('holds an API token');
  if (status >= 500) leaks.push(`status ${status}`);
  return [...leaks, ...(isHead ? [] : formFlaws(status, body, isGraphql))];
}

function formFlaws(status: number, body: Answer['body'], isGraphql: boolean): string[] {
  if (isGraphql && Array.isArray(body?.errors)) return body.errors.flatMap(graphqlErrorFlaws);
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

/** Spec 2.7. */
function errorBodyFlaws(body: Record<string, unknown> | undefined): string[] {
  const { id, name, message } = body ?? {};
  return [
    ...(typeof id === 'string' && UUID.test(id) ? [] : ['no id']),
    ...(typeof name === 'string' && name !== '' && name !== 'InternalError' ? [] : ['no name of ours']),
    ...(typeof message === 'string' && message !== '' ? [] : ['no message']),
  ];
}
