import { formatDuration } from '../time/format-time.js';

/** The stream of new events. */
export type Connection =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** `since` is when the stream last had all events, in milliseconds since 1970. */
  | { readonly kind: 'behind'; readonly since: number }
  | { readonly kind: 'reconnecting' }
  /** The stream cannot be opened; `reason` is a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface LiveState {
  readonly connection: Connection;
  /** The ids of events that arrived and are not in the list yet. */
  readonly waiting: ReadonlySet<number>;
  /** When the stream last had all events. */
  readonly upToDateAt: number;
}

export type LiveSignal =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'event'; readonly id: number }
  | { readonly kind: 'progress'; readonly upToDate: boolean; readonly at: number }
  /** The list has been loaded again. */
  | { readonly kind: 'shown' };

export const createLiveState = (now: number): LiveState => ({
  connection: { kind: 'connecting' },
  waiting: new Set(),
  upToDateAt: now,
});

export function reduceLive(state: LiveState, signal: LiveSignal): LiveState {
  switch (signal.kind) {
    case 'connection':
      return { ...state, connection: signal.connection };
    case 'event':
      return { ...state, waiting: new Set([...state.waiting, signal.id]) };
    case 'shown':
      return { ...state, waiting: new Set() };
    case 'progress':
      if (signal.upToDate) return { ...state, connection: { kind: 'open' }, upToDateAt: signal.at };
      return { ...state, connection: { kind: 'behind', since: state.upToDateAt } };
  }
}

/** A delay that people would not notice. */
const NOTICED_MS = 5_000;

/** The state in words. @param isPaused whether new events wait until the person wants them */
export function describeLive({ connection, waiting }: LiveState, isPaused: boolean, now: number): string {
  switch (connection.kind) {
    case 'off':
      return 'Live is off';
    case 'refused':
      return 'Live is not available';
    case 'connecting':
      return 'Connecting';
    case 'reconnecting':
      return 'Reconnecting';
    case 'behind':
      if (now - connection.since >= NOTICED_MS) return `Behind by ${formatDuration(now - connection.since)}`;
      break;
    case 'open':
      break;
  }
  if (!isPaused) return 'Live';
  return waiting.size === 0 ? 'Paused' : `Paused: ${waiting.size.toLocaleString('en')} new`;
}
