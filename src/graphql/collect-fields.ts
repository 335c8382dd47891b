import { type FieldNode, type FragmentDefinitionNode, type GraphQLObjectType, Kind, type SelectionSetNode } from 'graphql';

/** The fragments of a document, by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The selections of each field of an object, by the name of the field in the response. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

/**
 * Collects the fields that selection sets select in objects of one type, in the order of the response. Fragments are expanded.
 * @returns null if the fields depend on the request (a directive) or on the object (an abstract type)
 */
export function collectFields(
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
  fragments: Fragments,
): CollectedFields | null {
  const fields = new Map<string, FieldNode[]>();
  const expanded = new Set<string>();
  const collect = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).every((selection) => {
      if (selection.directives && selection.directives.length > 0) return false;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
        return true;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD && expanded.has(selection.name.value)) return true;
      if (selection.kind === Kind.FRAGMENT_SPREAD) expanded.add(selection.name.value);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      if (!fragment || (fragment.typeCondition && fragment.typeCondition.name.value !== type.name)) return false;
      return collect(fragment.selectionSet);
    });
  return sets.every(collect) ? fields : null;
}
