import {
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Returns the names of the fields that the request selects in the object of this field, directly or by fragments. Fields of an object in it
 * have the form `pageInfo.hasNextPage`; deeper ones are left out.
 */
export function selectedFields({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>();
  const isOn = (directive: GraphQLDirective, node: SelectionNode, byDefault: boolean) =>
    getDirectiveValues(directive, node, variableValues)?.['if'] ?? byDefault;
  const collect = (set: SelectionSetNode | undefined, prefix: string) => {
    for (const selection of set?.selections ?? []) {
      if (isOn(GraphQLSkipDirective, selection, false) || !isOn(GraphQLIncludeDirective, selection, true)) continue;
      if (selection.kind === Kind.FIELD) {
        names.add(`${prefix}${selection.name.value}`);
        if (prefix === '') collect(selection.selectionSet, `${selection.name.value}.`);
      } else {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
        collect(fragment?.selectionSet, prefix);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet, '');
  return names;
}
