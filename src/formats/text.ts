/** The rule of `isStorableText` in words, for messages. */
export const TEXT_RULE = 'must not contain the NUL character or half of a surrogate pair';

/** Whether PostgreSQL can store the text and compare with it. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
