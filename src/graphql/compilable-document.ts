import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Counts the fields of all operations with fragments expanded. The document is valid, so no fragment spreads itself. */
export function countFields({ definitions }: DocumentNode): number {
  const fragments = new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition.selectionSet] as const] : [],
    ),
  );
  const counts = new Map<SelectionSetNode | undefined, number>();
  const countIn = (set: SelectionSetNode | undefined): number => {
    const counted = counts.get(set);
    if (counted !== undefined) return counted;
    const count = (set?.selections ?? []).reduce(
      (sum, selection) =>
        sum +
        (selection.kind === Kind.FRAGMENT_SPREAD
          ? countIn(fragments.get(selection.name.value))
          : countIn(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0)),
      0,
    );
    counts.set(set, count);
    return count;
  };
  return definitions.reduce(
    (sum, definition) => sum + (definition.kind === Kind.OPERATION_DEFINITION ? countIn(definition.selectionSet) : 0),
    0,
  );
}

/**
 * Whether graphql-jit executes the document as graphql-js does. It does not for a document with one of these, which is then always
 * interpreted (compiled-queries.ts has the other conditions):
 * - A string literal: it is copied into generated source, where a text that looks like a marker becomes code.
 * - A directive: its condition is also applied at other places, or in other operations.
 * - A nullable variable in a non-null position, which a default value allows: null passes.
 * - A field with the alias `__proto__`: it is lost.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  // Collected first, because a fragment may stand before the operation that declares its variables.
  const nullable = new Set(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? (definition.variableDefinitions ?? [])
            .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
            .map(({ variable }) => variable.name.value)
        : [],
    ),
  );
  const typeInfo = new TypeInfo(schema);
  let found = false;
  const visitor: ASTVisitor = {
    Variable({ name }, key) {
      const isDefinition = key === 'variable';
      found ||= !isDefinition && isNonNullType(typeInfo.getInputType()) && nullable.has(name.value);
    },
    StringValue() {
      found = true;
    },
    Directive() {
      found = true;
    },
    Field({ alias }) {
      found ||= alias?.value === '__proto__';
    },
  };
  visit(document, visitWithTypeInfo(typeInfo, visitor));
  return !found;
}
