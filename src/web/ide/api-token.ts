const STORAGE_KEY = 'flag-admin-gateway:api-token';

/**
 * Returns the API token of this browser tab, or an empty string if there is none.
 *
 * The token is stored in sessionStorage, so that it survives a reload and ends with the tab. In localStorage, the next user of a
 * shared computer would find the token. In a cookie, the browser would add the token to requests that other sites make.
 */
export function loadApiToken(): string {
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}

/** Stores `token` for this browser tab. An empty token removes the stored one. */
export function saveApiToken(token: string): void {
  if (token === '') sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, token);
}
