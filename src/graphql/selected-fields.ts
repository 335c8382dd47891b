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

/** Returns the names of the fields that the request selects in the object of this field, directly or through fragments. */
export function selectedFields({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>();
  const isOn = (directive: GraphQLDirective, node: SelectionNode, byDefault: boolean) =>
    getDirectiveValues(directive, node, variableValues)?.['if'] ?? byDefault;
  const collect = ({ selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined }) => {
    for (const selection of selectionSet?.selections ?? []) {
      if (isOn(GraphQLSkipDirective, selection, false) || !isOn(GraphQLIncludeDirective, selection, true)) continue;
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      if (fragment?.kind === Kind.FIELD) names.add(fragment.name.value);
      else if (fragment) collect(fragment);
    }
  };
  for (const node of fieldNodes) collect(node);
  return names;
}
