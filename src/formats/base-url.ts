/** What a URL must be that a path is added to. */
export const BASE_URL_RULE =
  'must be an http or https URL, such as https://unleash.example.com, without user, password, query and fragment';

/** The URL without slashes at its end; null if it is not as the rule says. */
export function parseBaseUrl(text: string): string | null {
  if (!URL.canParse(text) || /[?#]/.test(text)) return null;
  const { protocol, username, password } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return null;
  return text.replace(/\/+$/, '');
}
