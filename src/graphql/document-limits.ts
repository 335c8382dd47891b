import { ApolloServerErrorCode, ApolloServerValidationErrorCode } from '@apollo/server/errors';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { GraphQLError, Kind, Lexer, type SelectionSetNode, Source, type ValidationContext, type ValidationRule } from 'graphql';
import { type ErrorLog, GatewayError, type Limit } from '../errors.js';

/**
 * The limits of a document. A short document can need much work in several ways, and each limit stops one of them
 * (docs/decisions/017-limits-and-budgets.md). nesting.ts limits the depth, and cost-limit.ts the cost.
 */
export interface DocumentLimits {
  /** Limit of tokens. The parser checks it, before any other limit can be checked, so it is always enforced. */
  readonly maxTokens: number;
  /** Limit of aliases in a document: each may repeat a large field, such as `data`, on every event of a page. */
  readonly maxAliases: number;
  /** Limit of root fields of an operation. Each may be a search. */
  readonly maxRootFields: number;
  /** Limit of fields once all fragments are expanded: a short document can expand to millions. It is always enforced. */
  readonly maxSelections: number;
  /** Whether a document over a limit is rejected, or only logged. */
  readonly isEnforced: boolean;
}

const EXCEEDED: Limit = 'request';

/** The longest alias, in characters. A list repeats each alias for each item. This limit is always enforced. */
const MAX_ALIAS_CHARACTERS = 100;

/** Returns the validation rules for the limits that graphql-js and Apollo Server do not check themselves. */
export function createDocumentRules(limits: DocumentLimits, log: ErrorLog): ValidationRule[] {
  const rejectOrWarn = (context: ValidationContext, message: string) => {
    if (limits.isEnforced) context.reportError(new GraphQLError(message, { extensions: { limit: EXCEEDED } }));
    else log.warn({ limit: message }, 'A document exceeds a limit that is not enforced.');
  };
  return [
    maxAliasesRule({
      n: limits.maxAliases,
      allowList: [],
      // By default the rule throws, and Apollo Server would respond with an internal error.
      propagateOnRejection: false,
      onReject: [
        (context: ValidationContext | null, { message }: GraphQLError) =>
          context && rejectOrWarn(context, message.replace(/^Syntax Error: /, '')),
      ],
    }),
    (context) => ({
      Field({ alias }) {
        if (alias && alias.value.length > MAX_ALIAS_CHARACTERS) {
          const message = `An alias must have at most ${MAX_ALIAS_CHARACTERS} characters.`;
          context.reportError(new GraphQLError(message, { nodes: alias, extensions: { limit: EXCEEDED } }));
        }
      },
      OperationDefinition({ selectionSet }) {
        const count = countRootFields(selectionSet, context);
        if (count > limits.maxRootFields) {
          rejectOrWarn(context, `Root fields limit of ${limits.maxRootFields} exceeded, found ${count}.`);
        }
      },
    }),
  ];
}

/** Whether an error is about the size or the cost of a document, and not about a mistake in it. */
export function isLimitError(error: GraphQLError, text: string | undefined, maxTokens: number): boolean {
  const { extensions, originalError, positions } = error;
  if (originalError instanceof GatewayError) return originalError.limit === EXCEEDED;
  return (
    extensions['limit'] === EXCEEDED ||
    extensions['validationErrorCode'] === ApolloServerValidationErrorCode.MAX_RECURSIVE_SELECTIONS_EXCEEDED ||
    (extensions['code'] === ApolloServerErrorCode.GRAPHQL_PARSE_FAILED &&
      hasMoreTokens(text ?? '', maxTokens, positions?.[0] ?? 0))
  );
}

/**
 * Whether a document has more than `maxTokens` tokens up to the position of a parse error. The tokens are counted again, because
 * graphql-js reports an excess of tokens like any other syntax error, without a code.
 */
function hasMoreTokens(text: string, maxTokens: number, position: number): boolean {
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; count < maxTokens; count += 1) if (lexer.advance().start >= position) return false;
    return true;
  } catch {
    return false;
  }
}

/** Counts fields with fragments expanded. Another rule rejects a fragment that spreads itself. */
function countRootFields(set: SelectionSetNode, context: ValidationContext, counts = new Map<string, number>()): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT) count += countRootFields(selection.selectionSet, context, counts);
    else {
      const name = selection.name.value;
      if (!counts.has(name)) {
        counts.set(name, 0);
        const fragment = context.getFragment(name);
        counts.set(name, fragment ? countRootFields(fragment.selectionSet, context, counts) : 0);
      }
      count += counts.get(name) ?? 0;
    }
  }
  return count;
}
