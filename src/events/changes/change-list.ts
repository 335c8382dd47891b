import type { JsonText } from '../../formats/json-text.js';

export const CHANGE_KINDS = ['ADDED', 'REMOVED', 'CHANGED', 'MOVED'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One difference between the two states of an event. */
export interface Change {
  readonly kind: ChangeKind;
  /** The keys that lead to the value. In a list, the key is the element's identity (list-matching.ts), or else its position. */
  readonly path: readonly string[];
  /** The place of the value as a JSON Pointer (RFC 6901): in `preData` if it was removed, and otherwise in `data`. */
  readonly pointer: string;
  /** The value in `preData`; null if it was added. For an element that moved, its old position. */
  readonly before: JsonText | null;
  /** The value in `data`; null if it was removed. For an element that moved, its new position. */
  readonly after: JsonText | null;
}

export interface EventChanges {
  readonly items: readonly Change[];
  /** Whether `items` has every difference. */
  readonly complete: boolean;
}

/** Returns the number of characters that the items take in a response. */
export function lengthOfChanges(changes: EventChanges | null): number {
  const lengths = changes?.items.map(
    ({ path, pointer, before, after }) =>
      path.reduce((sum, label) => sum + lengthOf(label), lengthOf(pointer)) +
      (before?.text.length ?? 4) +
      (after?.text.length ?? 4),
  );
  return lengths?.reduce((sum, length) => sum + length, 0) ?? 0;
}

/** The place of a value in both documents. */
export interface Place {
  /** Null for the document itself. */
  readonly parent: Place | null;
  readonly depth: number;
  readonly label: string;
  /** The key or the position in `preData`. */
  readonly before: string;
  /** The key or the position in `data`. */
  readonly after: string;
}

export const ROOT: Place = { parent: null, depth: 0, label: '', before: '', after: '' };

export function childPlace(parent: Place, label: string, before: string, after: string): Place {
  return { parent, depth: parent.depth + 1, label, before, after };
}

const MAX_ITEMS = 200;

/**
 * All paths and pointers together are at most `LEAST_PATH_CHARACTERS` longer than both documents, and never longer than
 * `MAX_PATH_CHARACTERS`. A key repeats in each path below it, so a response could otherwise be much longer than its documents.
 */
const MAX_PATH_CHARACTERS = 100_000;
const LEAST_PATH_CHARACTERS = 4_000;

/** Collects differences up to the limits. */
export class ChangeList {
  readonly #items: Change[] = [];
  readonly #maxPathCharacters: number;
  #pathCharacters = 0;
  #isComplete = true;
  #isFull = false;

  /** @param characters the total length of the two documents */
  constructor(characters: number) {
    this.#maxPathCharacters = Math.min(MAX_PATH_CHARACTERS, LEAST_PATH_CHARACTERS + characters);
  }

  /** Whether no difference can be added any more. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(kind: ChangeKind, place: Place, before: JsonText | null, after: JsonText | null): void {
    if (this.#isFull) return;
    const path: string[] = [];
    let pointer = '';
    for (let at = place; at.parent; at = at.parent) {
      path.push(at.label);
      pointer = `/${escapeToken(kind === 'REMOVED' ? at.before : at.after)}${pointer}`;
      this.#pathCharacters += lengthOf(at.label);
    }
    this.#pathCharacters += lengthOf(pointer);
    if (this.#items.length === MAX_ITEMS || this.#pathCharacters > this.#maxPathCharacters) {
      this.#isFull = true;
      this.markIncomplete();
      return;
    }
    this.#items.push({ kind, path: path.reverse(), pointer, before, after });
  }

  /** Records that differences may be missing. */
  markIncomplete(): void {
    this.#isComplete = false;
  }

  toChanges(): EventChanges {
    return { items: this.#items, complete: this.#isComplete };
  }
}

/** Returns the length of a text as JSON, where a control character takes up to six characters. */
function lengthOf(text: string): number {
  return JSON.stringify(text).length;
}

/** Escapes a reference token (RFC 6901, section 3). */
function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
