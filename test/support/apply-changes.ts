import type { Change } from '../../src/events/changes/change-list.js';

/** A JSON document with exact values: strings and keys begin with `s`, numbers with `n`. Equal numbers have the same text. */
export type ExactJson = string | boolean | null | readonly ExactJson[] | { readonly [key: string]: ExactJson };

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Parses a JSON text without losing digits, independently of the code under test. */
export function parseExactly(text: string): ExactJson {
  const tagged = text.replaceAll(STRING_OR_NUMBER, (token) =>
    JSON.stringify(token.startsWith('"') ? `s${JSON.parse(token) as string}` : `n${toExactNumber(token)}`),
  );
  return JSON.parse(tagged) as ExactJson;
}

/** Returns the same text for numbers of the same decimal value. */
export function toExactNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(`${whole.replace('-', '')}${fraction}`);
  let power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  if (digits === 0n) return '0';
  while (digits % 10n === 0n) {
    digits /= 10n;
    power += 1n;
  }
  return `${whole.startsWith('-') ? '-' : ''}${digits}e${power}`;
}

/** Makes documents comparable that differ only in the order of lists of distinct scalars. */
export function withoutOrderOfSets(value: ExactJson): ExactJson {
  if (isList(value)) {
    const isSet = value.every((element) => !isContainer(element)) && new Set(value).size === value.length;
    return isSet ? [...value].sort((a, b) => (String(a) < String(b) ? -1 : 1)) : value.map(withoutOrderOfSets);
  }
  if (!isContainer(value)) return value;
  return fromEntries(Object.entries(value).map(([key, member]) => [key, withoutOrderOfSets(member)]));
}

/**
 * Applies the items of complete changes to `preData`, by nothing but their kinds, pointers and values.
 * @param before the pointer of `value` in `preData`
 * @param after its pointer in `data`
 */
export function applyChanges(value: ExactJson, items: readonly Change[], before = '', after = ''): ExactJson {
  const changed = items.find(({ kind, pointer }) => kind === 'CHANGED' && pointer === after);
  if (changed) return afterOf(changed);
  const removed = new Set(items.filter(({ kind }) => kind === 'REMOVED').flatMap((item) => childOf(before, item) ?? []));
  const added = items.filter(({ kind }) => kind === 'ADDED').flatMap((item) => child(after, item, afterOf(item)));
  if (isList(value)) {
    const moved = items
      .filter(({ kind, pointer }) => kind === 'MOVED' && parentOf(pointer) === after)
      .map(({ before: from, after: to }) => [Number(from?.text), Number(to?.text)] as const);
    const kept = [...value.keys()].filter((index) => !removed.has(String(index)) && moved.every(([from]) => from !== index));
    const from = new Map(moved.map(([old, now]) => [now, old]));
    const fresh = new Map(added.map(([token, element]) => [Number(token), element]));
    return Array.from({ length: kept.length + moved.length + added.length }, (_, index) => {
      const element = fresh.get(index);
      if (element !== undefined) return element;
      const old = from.get(index) ?? kept.shift() ?? -1;
      return applyChanges(value[old] as ExactJson, items, `${before}/${old}`, `${after}/${index}`);
    });
  }
  if (!isContainer(value)) return value;
  const members = Object.entries(value)
    .filter(([key]) => !removed.has(toToken(key)))
    .map(([key, member]) => [key, applyChanges(member, items, `${before}/${toToken(key)}`, `${after}/${toToken(key)}`)] as const);
  return fromEntries([...members, ...added.map(([token, member]) => [toKey(token), member] as const)]);
}

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function findByPointer(value: ExactJson | undefined, pointer: string): ExactJson | undefined {
  if (pointer === '' || value === undefined) return value;
  const [token = '', ...rest] = pointer.slice(1).split('/');
  const at = isList(value) ? value[Number(token)] : isContainer(value) ? value[toKey(token)] : undefined;
  return findByPointer(at, rest.length === 0 ? '' : `/${rest.join('/')}`);
}

function afterOf({ after }: Change): ExactJson {
  if (!after) throw new Error('An added or changed value is missing.');
  return parseExactly(after.text);
}

function child(parent: string, item: Change, value: ExactJson): readonly (readonly [string, ExactJson])[] {
  const token = childOf(parent, item);
  return token === null ? [] : [[token, value]];
}

/** Returns the last token of the pointer of an item directly below a parent. */
function childOf(parent: string, { pointer }: Change): string | null {
  return pointer !== '' && parentOf(pointer) === parent ? pointer.slice(parent.length + 1) : null;
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
const toToken = (key: string) => key.slice(1).replaceAll('~', '~0').replaceAll('/', '~1');
const toKey = (token: string) => `s${token.replaceAll('~1', '/').replaceAll('~0', '~')}`;
const isList = (value: ExactJson): value is readonly ExactJson[] => Array.isArray(value);
const isContainer = (value: ExactJson): value is { readonly [key: string]: ExactJson } =>
  typeof value === 'object' && value !== null;
const fromEntries = (entries: readonly (readonly [string, ExactJson])[]) => Object.fromEntries(entries) as ExactJson;
