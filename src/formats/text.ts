/** Whether the text has more than `characters` characters. A pair of surrogates counts as one character. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters && (text.length > 2 * characters || [...text].length > characters);
}

/** Cuts a text that is longer than `length` UTF-16 units, without splitting a character. */
export function cutText(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

/** Replaces control characters other than line breaks and tabs, because a terminal would obey them. */
export function toPrintable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, ' ');
}

/** The rule of `isStorableText` in words, for messages. */
export const TEXT_RULE = 'must not contain the NUL character or half of a surrogate pair';

/** Whether PostgreSQL can store the text and compare with it. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
