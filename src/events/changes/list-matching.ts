import type { JsonNode } from './json-node.js';

/** How the elements of two lists correspond: elements with the same key are the same element. Each key occurs once in a list. */
export interface ListMatching {
  /** Whether the lists are sets. The order of a set does not matter. */
  readonly isSet: boolean;
  readonly before: ReadonlyMap<string, ListElement>;
  readonly after: ReadonlyMap<string, ListElement>;
  /** Returns the identity of an element for people to read. */
  readonly labelOf: (node: JsonNode) => string;
}

export interface ListElement {
  readonly node: JsonNode;
  readonly position: number;
}

/** A way to tell the elements of a list apart. */
interface Identity {
  /** Returns null for an element that has no such identity. */
  readonly keyOf: (node: JsonNode) => string | null;
  readonly labelOf: (node: JsonNode) => string;
}

const BY_VALUE: Identity = {
  keyOf: (node) => (node.kind === 'scalar' ? node.scalarKey : null),
  labelOf: (node) => node.label,
};

/** The members that identify an object in a list, the best first. Constraints have `contextName` and `operator`. */
const BY_MEMBERS = [['id'], ['name'], ['contextName', 'operator'], ['value']].map(byMembers);

/**
 * Finds how the elements of two lists correspond. Lists of scalars are sets if no scalar is repeated. Objects correspond by the
 * first of `BY_MEMBERS` that identifies all of them.
 * @returns null if the elements correspond by position only
 */
export function matchLists(before: readonly JsonNode[], after: readonly JsonNode[]): ListMatching | null {
  const isSet = (before[0] ?? after[0])?.kind === 'scalar';
  for (const { keyOf, labelOf } of isSet ? [BY_VALUE] : BY_MEMBERS) {
    const elementsBefore = identify(before, keyOf);
    const elementsAfter = elementsBefore && identify(after, keyOf);
    if (elementsAfter) return { isSet, before: elementsBefore, after: elementsAfter, labelOf };
  }
  return null;
}

/** Returns the elements by key; null if an element has no key, or if two elements have the same key. */
function identify(nodes: readonly JsonNode[], keyOf: Identity['keyOf']): Map<string, ListElement> | null {
  const elements = new Map<string, ListElement>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key === null || elements.has(key)) return null;
    elements.set(key, { node, position: elements.size });
  }
  return elements;
}

function byMembers(names: readonly string[]): Identity {
  return {
    keyOf: (node) => {
      let key = '';
      for (const name of names) {
        const value = findIdentifying(node, name);
        if (!value) return null;
        // The length before each text keeps two different pairs of texts from having the same key.
        key += names.length === 1 ? value.scalarKey : `${value.scalarKey.length} ${value.scalarKey}`;
      }
      return key;
    },
    labelOf: (node) => names.map((name) => findIdentifying(node, name)?.label).join(' '),
  };
}

function findIdentifying(node: JsonNode, name: string): JsonNode | undefined {
  const value = node.members.get(name);
  return value?.kind === 'scalar' && value.text !== 'null' ? value : undefined;
}
