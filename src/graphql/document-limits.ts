import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { GraphQLError, Kind, type SelectionSetNode, type ValidationContext, type ValidationRule } from 'graphql';
import type { ErrorLog } from '../errors.js';

/** How large a document may be, in each of the ways in which a short request can ask for much. */
export interface DocumentLimits {
  /** Of the parser; always kept to, as nothing else is known of a document before. */
  readonly maxTokens: number;
  /** Fields within fields; introspection has a limit of its own. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  /** Fields of the operation itself, each of which is a search of its own. */
  readonly maxRootFields: number;
  readonly maxDirectives: number;
  /** Fields of an operation once its fragments are written out, as often as they are spread: a short document can have millions. Always kept to. */
  readonly maxSelections: number;
  /** Whether what goes beyond is refused, or only noted in the log. */
  readonly isEnforced: boolean;
}

/** The limits as rules of validation, each of which tells its number. */
export function createDocumentRules(limits: DocumentLimits, log: ErrorLog): ValidationRule[] {
  const refuse = (context: ValidationContext, message: string) => {
    if (limits.isEnforced) context.reportError(new GraphQLError(message));
    else log.warn({ limit: message }, 'beyond a limit that is not enforced');
  };
  // Thrown, as these rules would by themselves, it would count as a failure of the server.
  const options = {
    propagateOnRejection: false,
    onReject: [
      (context: ValidationContext | null, { message }: GraphQLError) => context && refuse(context, withoutPrefix(message)),
    ],
  };
  return [
    maxDepthRule({ ...options, n: limits.maxDepth, flattenFragments: true }),
    maxAliasesRule({ ...options, n: limits.maxAliases, allowList: [] }),
    maxDirectivesRule({ ...options, n: limits.maxDirectives }),
    (context) => ({
      OperationDefinition({ selectionSet }) {
        const count = countRootFields(selectionSet, context);
        if (count > limits.maxRootFields) {
          refuse(context, `Root fields limit of ${limits.maxRootFields} exceeded, found ${count}.`);
        }
      },
    }),
  ];
}

/** How graphql-js, Apollo Server and the rules above say that there is too much of something. */
const LIMIT_MESSAGE = /limit of \d+ exceeded|tokens\. Parsing aborted|requests too many selections|costs \d+, more than/;

/** Whether a document was refused for its size, and not for a mistake. */
export function isBeyondLimit({ message }: GraphQLError): boolean {
  return LIMIT_MESSAGE.test(message);
}

function withoutPrefix(message: string): string {
  return message.replace(/^Syntax Error: /, '');
}

/** Each field as often as it is written, also in fragments; one that spreads itself is refused by another rule, and counts once here. */
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
