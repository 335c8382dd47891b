import { hash } from 'node:crypto';
import { type Caller, type ProjectScope, requireRole } from '../auth/caller.js';
import { Problems } from '../errors.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import type { Event, EventCriteria, EventPosition } from './event.js';
import type { EventReads } from './event.store.js';
import { type EventFilterInput, parseEventFilter } from './event-filter.js';
import type { ChooseLog } from '../log-version/choose-log.js';
import { type ConnectionArgs, checkOffsetPage, type EventWindow, type OffsetPage, parseWindow } from './event-page.js';
import type { LogHead } from '../log-version/totals.js';

/** Changes with what is answered for the same events. */
const ANSWERS = 1;

export type EventService = ReturnType<typeof createEventService>;

/** Events that were asked for; each part is read when it is needed, and once. */
export interface EventList {
  events(): Promise<readonly Event[]>;
  total(): Promise<number>;
}

export interface FeatureEvents extends EventList {
  readonly featureName: string;
}

export interface EventSearch extends EventList {
  /** Another one, other events match; never newer than the events beside it. */
  version(): Promise<string>;
}

export interface EventConnection {
  page(): Promise<EventPage>;
  total(): Promise<number>;
}

export interface EventPage {
  readonly events: readonly Event[];
  hasNext(): Promise<boolean>;
  hasPrevious(): Promise<boolean>;
}

/** Reading the event log (spec 4.1 and 4.2). Every list is ordered by the time of creation, newest first, then by id. */
export function createEventService(chooseLog: ChooseLog) {
  /** The reads of one request, until its caller is gone. */
  const open = ({ signal }: Caller) => {
    const log = once(chooseLog);
    return {
      reads: async () => (await log()).store.withSignal(signal),
      totals: async () => (await log()).totals.withSignal(signal),
    };
  };
  return {
    /** Spec 4.1: all events of the flag of just this name; none if there is no such flag. */
    listFeatureEvents(caller: Caller, featureName: string): FeatureEvents {
      const problems = new Problems();
      if (!isStorableText(featureName)) problems.add('featureName', TEXT_RULE);
      const criteria = restrict(caller, { featureNames: [featureName] }, problems);
      const log = open(caller);
      const events = once(async () => (await log.reads()).list(criteria));
      const count = once(async () => (await (await log.totals()).count(criteria)).count);
      // Both from one read where both are asked for: two could differ by an event added between them.
      const total = async () => {
        await siblingsAreAsked();
        return events.started ? (await events()).length : count();
      };
      return { featureName, events, total };
    },

    /** Spec 4.2: one page of the events that match, and how many match in all. */
    searchEvents(caller: Caller, filter: EventFilterInput, page: OffsetPage): EventSearch {
      const problems = new Problems();
      checkOffsetPage(page, problems);
      const criteria = restrict(caller, parseEventFilter(filter, problems), problems);
      const log = open(caller);
      // Where both are asked for, they are read at one moment: a version tells what is beside it.
      const both = once(async () => (await log.totals()).countAndListPage(criteria, page));
      const events = once(async () => {
        await siblingsAreAsked();
        return head.started ? (await both()).events : (await log.reads()).listPage(criteria, page);
      });
      const head: Once<LogHead> = once(async () => {
        await siblingsAreAsked();
        return events.started ? both() : (await log.totals()).count(criteria);
      });
      return { events, version: async () => toVersion(await head(), caller), total: async () => (await head()).count };
    },

    /** The same events as a Relay connection, whose pages stay in place while events are added. */
    connectEvents(caller: Caller, filter: EventFilterInput, args: ConnectionArgs): EventConnection {
      const problems = new Problems();
      const window = parseWindow(args, problems);
      const criteria = restrict(caller, parseEventFilter(filter, problems), problems);
      const log = open(caller);
      return {
        page: once(async () => readPage(await log.reads(), criteria, window)),
        total: once(async () => (await (await log.totals()).count(criteria)).count),
      };
    },

    /** What every answer to this caller depends on, besides what is asked; it tells nothing of the log itself. */
    async readVersion(caller: Caller): Promise<string> {
      requireRole(caller, 'VIEWER');
      return toVersion(await (await chooseLog()).totals.readHead(), caller);
    },

    /** One event, or null if there is none of that id that the caller may see. */
    async findEvent(caller: Caller, id: number): Promise<Event | null> {
      const criteria = restrict(caller, {}, new Problems());
      return (await open(caller).reads()).find(id, criteria);
    },
  };
}

function toVersion({ epoch, count }: LogHead, { projects }: Caller): string {
  return hash('sha256', JSON.stringify([ANSWERS, epoch, count, projects]), 'base64url');
}

/** The criteria with the caller's permission and project scope in them: no read goes without. */
function restrict(caller: Caller, criteria: EventCriteria, problems: Problems): EventCriteria {
  requireRole(caller, 'VIEWER');
  problems.throwIfAny();
  return { ...criteria, visibleProjects: toVisible(caller.projects) };
}

function toVisible(projects: ProjectScope): EventCriteria['visibleProjects'] {
  if (projects === 'all') return undefined;
  return projects === 'any project' ? 'any' : projects;
}

/** Reads one event more than the page holds, which tells whether there is another page in that direction. */
async function readPage(reads: EventReads, criteria: EventCriteria, window: EventWindow): Promise<EventPage> {
  const { from, size, after, before } = window;
  const read = await reads.listWindow(criteria, { ...window, size: size + 1 });
  const hasMore = async () => read.length > size;
  const hasFrom = (position: EventPosition | null, direction: 'newer' | 'older') =>
    once(async () => position !== null && reads.existsFrom(criteria, position, direction));
  return from === 'newest'
    ? { events: read.slice(0, size), hasNext: hasMore, hasPrevious: hasFrom(after, 'newer') }
    : { events: read.slice(Math.max(0, read.length - size)), hasNext: hasFrom(before, 'older'), hasPrevious: hasMore };
}

/** After it, the fields that a request asks for beside this one have been asked for as well. */
const siblingsAreAsked = (): Promise<void> => Promise.resolve();

type Once<T> = (() => Promise<T>) & { readonly started: boolean };

/** Calls `read` at the first call only; `started` tells whether there was one. */
function once<T>(read: () => Promise<T>): Once<T> {
  let result: Promise<T> | undefined;
  const readOnce = () => {
    result ??= read();
    return result;
  };
  return Object.defineProperty(readOnce, 'started', { get: () => result !== undefined }) as Once<T>;
}
