import type { JsonText } from '../../formats/json-text.js';

export const CHANGE_KINDS = ['ADDED', 'REMOVED', 'CHANGED', 'MOVED'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One difference between the two states of an event. */
export interface Change {
  readonly kind: ChangeKind;
  /** The keys, and within lists the identities of elements or else their positions. */
  readonly path: readonly string[];
  /** The place as a JSON Pointer (RFC 6901): in `preData` for a removed value, and otherwise in `data`. */
  readonly pointer: string;
  /** Null for what was added. The old position of an element that moved. */
  readonly before: JsonText | null;
  /** Null for what was removed. The new position of an element that moved. */
  readonly after: JsonText | null;
}

export interface EventChanges {
  readonly items: readonly Change[];
  /** Whether `items` has every difference. */
  readonly complete: boolean;
}

/** The number of characters that the items take in a response. */
export function lengthOfChanges(changes: EventChanges | null): number {
  const lengths = changes?.items.map(
    ({ path, pointer, before, after }) =>
      path.reduce((sum, label) => sum + lengthOf(label), lengthOf(pointer)) +
      (before?.text.length ?? 4) +
      (after?.text.length ?? 4),
  );
  return lengths?.reduce((sum, length) => sum + length, 0) ?? 0;
}

/** A place in both documents. */
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

export function within(parent: Place, label: string, before: string, after: string): Place {
  return { parent, depth: parent.depth + 1, label, before, after };
}

const MAX_ITEMS = 200;

/** The keys of a document repeat in each path below them. Their sum is limited, so that a response is not much longer than its documents. */
const MAX_PATH_CHARACTERS = 100_000;
const LEAST_PATH_CHARACTERS = 4_000;

/** Collects differences up to the limits. */
export class ChangeList {
  readonly #items: Change[] = [];
  readonly #maxPathCharacters: number;
  #pathCharacters = 0;
  #isComplete = true;
  #isFull = false;

  /** @param characters the length of both documents */
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
      this.leaveOut();
      return;
    }
    this.#items.push({ kind, path: path.reverse(), pointer, before, after });
  }

  /** Says that differences may be missing. */
  leaveOut(): void {
    this.#isComplete = false;
  }

  toChanges(): EventChanges {
    return { items: this.#items, complete: this.#isComplete };
  }
}

/** Returns the length of a text as it is written: a control character takes six. */
function lengthOf(text: string): number {
  return JSON.stringify(text).length;
}

/** Escapes a reference token (RFC 6901, section 3). */
function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
