const STORAGE_KEY = 'flag-admin-gateway:api-token';

/**
 * The API token of this browser tab, or an empty string.
 *
 * It is kept in sessionStorage, so that it survives a reload and ends with the tab. In localStorage it would outlive the work, on a shared
 * computer for the next person; in a cookie the browser would add it to requests that other sites make.
 */
export function loadApiToken(): string {
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}

/** Keeps `token` for this browser tab; an empty one is forgotten. */
export function saveApiToken(token: string): void {
  if (token === '') sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, token);
}
