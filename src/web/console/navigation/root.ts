/** The root of the gateway. This script is in its folder `console`, so the URL is right below each path prefix. */
export const ROOT = new URL('..', import.meta.url);

/** The URL of a path below the root. */
export const urlOf = (path: string): string => ROOT.pathname + path;
