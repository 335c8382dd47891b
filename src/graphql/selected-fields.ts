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
import type { SelectedFields } from '../request-context.js';

type Selected = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/**
 * Caches the selected fields by the list of field nodes. A plan (operation-plan.ts) has no directives, and passes the same list
 * for each request. graphql-js passes a new list each time, so directives with variables are evaluated for each request.
 */
const cached = new WeakMap<readonly FieldNode[], SelectedFields>();

/** Returns the fields that the request selects in the object of this field, directly or by fragments. */
export function selectedFields(info: Selected): SelectedFields {
  const paths = cached.get(info.fieldNodes) ?? findPaths(info);
  cached.set(info.fieldNodes, paths);
  return paths;
}

function findPaths({ fieldNodes, fragments, variableValues }: Selected): SelectedFields {
  const paths = new Map<string, string[]>();
  /** The places in the response that were found already. A document may select a field repeatedly for the same place. */
  const places = new Set<string>();
  const isOn = (directive: GraphQLDirective, node: SelectionNode, byDefault: boolean) =>
    getDirectiveValues(directive, node, variableValues)?.['if'] ?? byDefault;
  const collect = (set: SelectionSetNode | undefined, prefix: string, placePrefix: string) => {
    for (const selection of set?.selections ?? []) {
      if (isOn(GraphQLSkipDirective, selection, false) || !isOn(GraphQLIncludeDirective, selection, true)) continue;
      if (selection.kind === Kind.FIELD) {
        const path = `${prefix}${selection.name.value}`;
        const name = (selection.alias ?? selection.name).value;
        const place = `${placePrefix}${name}`;
        const names = paths.get(path) ?? [];
        if (!places.has(place)) names.push(name);
        paths.set(path, names);
        places.add(place);
        collect(selection.selectionSet, `${path}.`, `${place}.`);
      } else {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
        collect(fragment?.selectionSet, prefix, placePrefix);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet, '', '');
  return paths;
}
