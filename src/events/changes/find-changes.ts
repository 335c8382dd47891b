import { JsonText } from '../../formats/json-text.js';
import { ChangeList, childPlace, type EventChanges, type Place, ROOT } from './change-list.js';
import type { JsonNode } from './json-node.js';
import { type ListMatching, matchLists } from './list-matching.js';
import { findMoved } from './moved-elements.js';
import { parseJson } from './parse-json.js';

/** Objects and lists below this depth are compared only as texts. */
const MAX_DEPTH = 32;

/** The elements of lists with more elements than this are not matched with each other. */
const MAX_LIST = 2_000;

/** Longer texts are not compared. Comparing two such texts takes up to 0.4 s, and no other request is served during that time. */
const MAX_CHARACTERS = 1024 * 1024;

const NONE: ReadonlySet<string> = new Set();

const NOT_COMPARED: EventChanges = { items: [], complete: false };

/**
 * Compares two JSON texts (docs/decisions/037-changes.md). If the result is complete, applying its items to `preData` gives
 * `data`, except for the order of lists of distinct scalars, which are compared as sets. In each object and list, removed values
 * come first, then all others in the order of `data`. The time is linear in the length of the texts.
 */
export function findChanges(preData: string, data: string): EventChanges {
  if (preData.length > MAX_CHARACTERS || data.length > MAX_CHARACTERS) return NOT_COMPARED;
  const list = new ChangeList(preData.length + data.length);
  compare(parseJson(preData, MAX_DEPTH), parseJson(data, MAX_DEPTH), ROOT, list);
  return list.toChanges();
}

function compare(before: JsonNode, after: JsonNode, place: Place, list: ChangeList): void {
  if (list.isFull || before.hasTextOf(after)) return;
  if (before.kind !== after.kind) list.add('CHANGED', place, before.toJson(), after.toJson());
  else if (before.kind === 'scalar') compareScalars(before, after, place, list);
  else if (place.depth >= MAX_DEPTH) list.markIncomplete();
  else if (before.kind === 'object') compareObjects(before, after, place, list);
  else compareLists(before, after, place, list);
}

function compareScalars(before: JsonNode, after: JsonNode, place: Place, list: ChangeList): void {
  if (before.scalarKey !== after.scalarKey) list.add('CHANGED', place, before.toJson(), after.toJson());
}

function compareObjects(before: JsonNode, after: JsonNode, place: Place, list: ChangeList): void {
  for (const [key, value] of before.members)
    if (!after.members.has(key)) list.add('REMOVED', childPlace(place, key, key, key), value.toJson(), null);
  for (const [key, value] of after.members) {
    if (list.isFull) return;
    const old = before.members.get(key);
    if (old) compare(old, value, childPlace(place, key, key, key), list);
    else list.add('ADDED', childPlace(place, key, key, key), null, value.toJson());
  }
}

function compareLists(before: JsonNode, after: JsonNode, place: Place, list: ChangeList): void {
  const [old, now] = [before.elements, after.elements];
  if (old.length > MAX_LIST || now.length > MAX_LIST) {
    compareLongLists(before, after, place, list);
    return;
  }
  const matching = matchLists(old, now);
  if (matching) compareMatched(matching, place, list);
  else compareByPosition(old, now, place, list);
}

/** Adds one item for a long list, if the list changed. The changes within it are left out. */
function compareLongLists(before: JsonNode, after: JsonNode, place: Place, list: ChangeList): void {
  if (isEqual(before, after, place.depth)) return;
  list.markIncomplete();
  list.add('CHANGED', place, before.toJson(), after.toJson());
}

function compareByPosition(before: readonly JsonNode[], after: readonly JsonNode[], place: Place, list: ChangeList): void {
  for (const [position, node] of before.entries())
    if (position >= after.length) list.add('REMOVED', atPosition(place, position), node.toJson(), null);
  for (const [position, node] of after.entries()) {
    const old = before[position];
    if (old) compare(old, node, atPosition(place, position), list);
    else list.add('ADDED', atPosition(place, position), null, node.toJson());
  }
}

function compareMatched({ isSet, before, after, labelOf }: ListMatching, place: Place, list: ChangeList): void {
  for (const [key, { position, node }] of before)
    if (!after.has(key)) list.add('REMOVED', childPlace(place, labelOf(node), String(position), ''), node.toJson(), null);
  const moved = isSet ? NONE : findMovedKeys(before, after);
  for (const [key, { position, node }] of after) {
    if (list.isFull) return;
    const old = before.get(key);
    const isMoved = moved.has(key);
    if (old && !isMoved && old.node.hasTextOf(node)) continue;
    const here = childPlace(place, labelOf(node), String(old?.position ?? ''), String(position));
    if (!old) list.add('ADDED', here, null, node.toJson());
    else {
      if (isMoved) list.add('MOVED', here, toNumber(old.position), toNumber(position));
      compare(old.node, node, here, list);
    }
  }
}

/** Returns the keys of the elements that moved: as few elements as possible for the new order (moved-elements.ts). */
function findMovedKeys(before: ListMatching['before'], after: ListMatching['after']): ReadonlySet<string> {
  const kept: string[] = [];
  const positions: number[] = [];
  let isAscending = true;
  for (const key of after.keys()) {
    const position = before.get(key)?.position;
    if (position === undefined) continue;
    isAscending &&= position > (positions.at(-1) ?? -1);
    kept.push(key);
    positions.push(position);
  }
  if (isAscending) return NONE;
  const moved = findMoved(positions);
  return new Set(kept.filter((_, index) => moved.has(index)));
}

function atPosition(place: Place, position: number): Place {
  const text = String(position);
  return childPlace(place, text, text, text);
}

function toNumber(position: number): JsonText {
  return new JsonText(String(position));
}

/** Whether two values are equal, with lists in the same order. Values below the depth limit are equal only if their texts are. */
function isEqual(before: JsonNode, after: JsonNode, depth: number): boolean {
  if (before.hasTextOf(after)) return true;
  if (before.kind !== after.kind || (depth >= MAX_DEPTH && before.kind !== 'scalar')) return false;
  if (before.kind === 'scalar') return before.scalarKey === after.scalarKey;
  if (before.kind === 'object') {
    const [old, now] = [before.members, after.members];
    if (old.size !== now.size) return false;
    return [...old].every(([key, value]) => {
      const other = now.get(key);
      return other !== undefined && isEqual(value, other, depth + 1);
    });
  }
  const [old, now] = [before.elements, after.elements];
  return old.length === now.length && old.every((node, position) => isEqual(node, now[position] as JsonNode, depth + 1));
}
