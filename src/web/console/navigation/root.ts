/** The URL of the root of the gateway, with the prefix of a proxy. `..` leaves the folder `console`, which has this script. */
export const ROOT = new URL('..', import.meta.url);

/** Returns the URL of a path below the root, without the origin. @param path has no slash at its beginning */
export const urlOf = (path: string): string => ROOT.pathname + path;
