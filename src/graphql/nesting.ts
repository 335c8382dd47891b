import { GatewayError } from '../errors.js';

/** The deepest nesting of brackets: several times as deep as GraphiQL's introspection query, and far from a stack overflow. */
const MAX_NESTING = 64;

/**
 * Matches block strings, strings and comments, because brackets inside them do not nest. A string also matches without its
 * closing quote. If the quote were required, the search for it in many open strings would take time quadratic in the length.
 */
const OPAQUE = /"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#[^\n\r]*/g;

const OPENING_BRACKETS = /[{[(]/g;

export const NESTING_RULE = `must not be nested deeper than ${MAX_NESTING} levels`;

/** @throws GatewayError BadDataError for a document that is nested too deeply */
export function rejectDeepNesting(document: unknown): void {
  if (!isNestedWithinLimit(document)) throw new GatewayError('BadDataError', `The document ${NESTING_RULE}.`);
}

/** Whether a document can be validated without a stack overflow. Returns true for a non-string, which later checks reject. */
export function isNestedWithinLimit(document: unknown): boolean {
  if (typeof document !== 'string') return true;
  // Most documents have too few brackets to be nested deeply. Their strings and comments do not have to be found.
  if ((document.match(OPENING_BRACKETS)?.length ?? 0) <= MAX_NESTING) return true;
  let depth = 0;
  for (const [bracket] of document.replaceAll(OPAQUE, '').matchAll(/[{}[\]()]/g)) {
    depth += '{[('.includes(bracket) ? 1 : -1;
    if (depth > MAX_NESTING) return false;
  }
  return true;
}
