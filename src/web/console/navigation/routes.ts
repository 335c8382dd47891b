/** A page of the console, with the parameters from its path. */
export type Route =
  | { readonly page: 'timeline' }
  | { readonly page: 'event'; readonly id: number }
  | { readonly page: 'flag' | 'project' | 'person'; readonly name: string }
  | { readonly page: 'invite' }
  | { readonly page: 'unknown' };

const SUBJECTS = { flags: 'flag', projects: 'project', people: 'person' } as const;
const FOLDERS = { flag: 'flags', project: 'projects', person: 'people' } as const;

/** The id of an event is a positive 32-bit integer. Its text has no leading zeros. */
const EVENT_ID = /^[1-9]\d{0,9}$/;
const MAX_EVENT_ID = 2_147_483_647;

/** Reads a path below the root of the gateway, without a slash at its beginning. */
export function parsePath(path: string): Route {
  const [folder = '', name = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (rest.length > 0) return { page: 'unknown' };
  if (name === '') {
    if (folder === '') return { page: 'timeline' };
    return { page: folder === 'invite' ? 'invite' : 'unknown' };
  }
  if (folder === 'events') {
    const id = EVENT_ID.test(name) ? Number(name) : Number.POSITIVE_INFINITY;
    return id <= MAX_EVENT_ID ? { page: 'event', id } : { page: 'unknown' };
  }
  const subject = Object.hasOwn(SUBJECTS, folder) ? SUBJECTS[folder as keyof typeof SUBJECTS] : undefined;
  const decoded = decode(name);
  return subject === undefined || decoded === undefined ? { page: 'unknown' } : { page: subject, name: decoded };
}

/** Prints the path of a page, without a slash at its beginning. */
export function printPath(route: Route): string {
  switch (route.page) {
    case 'timeline':
    case 'unknown':
      return '';
    case 'invite':
      return 'invite';
    case 'event':
      return `events/${route.id}`;
    default:
      return `${FOLDERS[route.page]}/${encodeURIComponent(route.name)}`;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
