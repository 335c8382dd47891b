import { type Days, dayOfStored } from './calendar-days.js';
import { MirrorError } from './mirror-error.js';
import { createRequestUnleash, type RequestUnleashOptions, toMirrorError } from './request-unleash.js';
import { parsePage, type UnleashPage } from './unleash-page.js';

export interface LogPage extends UnleashPage {
  /** The number of events on each page but the last. */
  readonly size: number;
}

export type UnleashLog = ReturnType<typeof createUnleashLog>;

/** The largest page that Unleash returns before version 6.0. Later versions return up to 1000 events. */
const OLD_PAGE_SIZE = 100;

const SEARCH = '/api/admin/search/events';

/** Reads the event log of an Unleash server over its REST API, with an administrator's token. */
export function createUnleashLog(options: RequestUnleashOptions, pageSize = 1000) {
  const { url } = options;
  let hasDays: boolean | null = null;

  const request = createRequestUnleash(options);

  const requestPage = async (path: string, init?: RequestInit): Promise<UnleashPage> => {
    const { status, text } = await request(path, init);
    if (status === 404) throw toMirrorError(url, 404);
    const page = parsePage(text);
    if ('problem' in page) throw new MirrorError(page.problem);
    return page;
  };

  const search = (parameters: Record<string, string>) => requestPage(`${SEARCH}?${new URLSearchParams(parameters)}`);

  const searchOld = (offset: number, limit: number) =>
    requestPage('/api/admin/events/search', { method: 'POST', body: JSON.stringify({ offset, limit }) });

  return {
    /** @throws MirrorError unless the token is an administrator's: other tokens get a part of the log that looks complete */
    async requireAdministrator(): Promise<void> {
      const { status, text } = await request('/api/admin/user');
      const permissions = status === 200 ? readPermissions(text) : null;
      if (permissions === null)
        throw new MirrorError(`${url} responded with ${status} to GET /api/admin/user, and no user. Is it an Unleash server?`);
      if (!permissions.includes('ADMIN')) throw toMirrorError(url, 403);
    },

    /** Whether Unleash can search by days. Versions before 6.0 cannot, and have another path for the search. */
    async canSearchByDays(): Promise<boolean> {
      hasDays ??= (await request(`${SEARCH}?limit=1`)).status !== 404;
      return hasDays;
    },

    /** Reads a page of the events of these days, or of the whole log if Unleash cannot search by days. */
    async readPage({ from, to }: Days, offset: number): Promise<LogPage> {
      if (!(await this.canSearchByDays())) return { ...(await searchOld(offset, OLD_PAGE_SIZE)), size: OLD_PAGE_SIZE };
      const days = { ...(from !== null && { from: `IS:${from}` }), ...(to !== null && { to: `IS:${to}` }) };
      return { ...(await search({ ...days, offset: String(offset), limit: String(pageSize) })), size: pageSize };
    },

    async countAll(): Promise<number> {
      return ((await this.canSearchByDays()) ? await search({ limit: '1' }) : await searchOld(0, 1)).total;
    },

    /**
     * Returns the UTC day of the oldest event that is not before the day `from`; null if there is no such event. An event outside
     * of the years 0001 to 9999 gets the nearest day of these years. Requires an Unleash that can search by days.
     */
    async findFirstDay(from: string | null): Promise<string | null> {
      const days: Record<string, string> = from === null ? {} : { from: `IS:${from}` };
      const { total } = await search({ ...days, limit: '1' });
      if (total === 0) return null;
      // Reads a whole page: events that were added since the first request have moved the oldest event to a higher offset.
      const { events } = await search({ ...days, limit: String(pageSize), offset: String(Math.max(0, total - 1)) });
      const oldest = events.at(-1);
      return oldest ? dayOfStored(oldest.createdAt) : null;
    },
  };
}

/** Reads the permissions of a user; null if the response is not a user. */
function readPermissions(text: string): unknown[] | null {
  try {
    const { permissions } = JSON.parse(text) as { permissions: readonly { permission?: unknown }[] };
    return permissions.map(({ permission }) => permission);
  } catch {
    return null;
  }
}
