/** The kind of a value that has a history: the console can list the events with this value. */
export type LinkKind = 'person' | 'flag' | 'project' | 'environment';

/** A part of a sentence, to be shown as `text`. */
export type SentencePart =
  | { readonly kind: 'text'; readonly text: string }
  /** A value without a history of its own, such as the name of a segment. */
  | { readonly kind: 'name'; readonly text: string }
  /** `value` is the whole value in the event. `text` is its beginning on one line. */
  | { readonly kind: LinkKind; readonly text: string; readonly value: string };

export type Phrase = readonly SentencePart[];

/** A value that a template of `say` accepts between its texts. */
type Piece = SentencePart | Phrase | string | undefined;

/** Builds a phrase from a template, such as say`archived ${flagOf(event)}`. Neighboring texts become one part. */
export function say(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Phrase {
  const parts = texts.flatMap((text, index) => [{ kind: 'text' as const, text }, ...toParts(pieces[index])]);
  const merged: SentencePart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.text === '') continue;
    if (part.kind === 'text' && last?.kind === 'text') merged[merged.length - 1] = { kind: 'text', text: last.text + part.text };
    else merged.push(part);
  }
  return merged;
}

export const toText = (phrase: Phrase): string => phrase.map(({ text }) => text).join('');

function toParts(piece: Piece): Phrase {
  if (piece === undefined) return [];
  if (typeof piece === 'string') return [{ kind: 'text', text: piece }];
  return 'kind' in piece ? [piece] : piece;
}
