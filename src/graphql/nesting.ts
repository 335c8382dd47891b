/** The deepest nesting of brackets in a document: several times that of the IDE's introspection query, and far below what overflows the stack of validation. */
const MAX_NESTING = 64;

/** What brackets can stand in without nesting: block strings, strings, comments. */
const OPAQUE = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n\r]*/g;

export const NESTING_RULE = `must not be nested deeper than ${MAX_NESTING} levels`;

/** Whether a document is nested no deeper than can be validated. Anything that is no text is left to the parser. */
export function isNestedWithinLimit(document: unknown): boolean {
  if (typeof document !== 'string') return true;
  let depth = 0;
  for (const [bracket] of document.replaceAll(OPAQUE, '').matchAll(/[{}[\]()]/g)) {
    depth += '{[('.includes(bracket) ? 1 : -1;
    if (depth > MAX_NESTING) return false;
  }
  return true;
}
