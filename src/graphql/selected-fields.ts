import {
  type FieldNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type Selected = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** The paths by list of nodes. A plan has no directives, and always passes the same list. graphql-js always passes a new one. */
const cached = new WeakMap<readonly FieldNode[], ReadonlySet<string>>();

/** Returns the paths of the fields that the request selects in the object of this field, directly or by fragments, such as `nodes.id`. */
export function selectedFields(info: Selected): ReadonlySet<string> {
  const paths = cached.get(info.fieldNodes) ?? findPaths(info);
  cached.set(info.fieldNodes, paths);
  return paths;
}

function findPaths({ fieldNodes, fragments, variableValues }: Selected): ReadonlySet<string> {
  const paths = new Set<string>();
  const isOn = (directive: GraphQLDirective, node: SelectionNode, byDefault: boolean) =>
    getDirectiveValues(directive, node, variableValues)?.['if'] ?? byDefault;
  const collect = (set: SelectionSetNode | undefined, prefix: string) => {
    for (const selection of set?.selections ?? []) {
      if (isOn(GraphQLSkipDirective, selection, false) || !isOn(GraphQLIncludeDirective, selection, true)) continue;
      if (selection.kind === Kind.FIELD) {
        const path = `${prefix}${selection.name.value}`;
        paths.add(path);
        collect(selection.selectionSet, `${path}.`);
      } else {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
        collect(fragment?.selectionSet, prefix);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet, '');
  return paths;
}
