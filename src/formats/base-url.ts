/** The rule of `parseBaseUrl` in words, for messages. */
export const BASE_URL_RULE =
  'must be an http or https URL, such as https://unleash.example.com, without user, password, query and fragment';

/** Returns the URL in its normal form without slashes at its end, or null if it breaks the rule. */
export function parseBaseUrl(text: string): string | null {
  if (!URL.canParse(text) || /[?#]/.test(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return null;
  return href.replace(/\/+$/, '');
}
