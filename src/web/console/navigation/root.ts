/** The URL of the gateway's root. This script is in the folder `console` below it, so the URL includes any path prefix. */
export const ROOT = new URL('..', import.meta.url);

/** The URL of a path below the root. */
export const urlOf = (path: string): string => ROOT.pathname + path;
