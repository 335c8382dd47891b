import { formatDuration } from '../time/format-time.js';

/** The state of the stream of new events. */
export type Connection =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** `since` is the time when the cursor last changed or the stream was last up to date, in milliseconds since 1970. */
  | { readonly kind: 'behind'; readonly since: number }
  | { readonly kind: 'reconnecting' }
  /** The stream cannot be opened; `reason` is a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface LiveState {
  readonly connection: Connection;
  /** The ids of events that arrived and are not in the list yet, at most `MAX_WAITING`. */
  readonly waiting: ReadonlySet<number>;
  /** The time when the cursor last changed or the stream was last up to date, in milliseconds since 1970. */
  readonly advancedAt: number;
}

export type LiveSignal =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'events'; readonly ids: readonly number[] }
  /** `hasAdvanced` says whether the cursor has changed since the last progress. */
  | { readonly kind: 'progress'; readonly upToDate: boolean; readonly hasAdvanced: boolean; readonly at: number }
  /** The list has been loaded again. */
  | { readonly kind: 'shown' }
  /** Another stream begins. */
  | { readonly kind: 'started'; readonly at: number };

/** Limits the ids in memory, because an import can add any number of events. */
const MAX_WAITING = 1_000;

export const createLiveState = (now: number): LiveState => ({
  connection: { kind: 'connecting' },
  waiting: new Set(),
  advancedAt: now,
});

export function reduceLive(state: LiveState, signal: LiveSignal): LiveState {
  switch (signal.kind) {
    case 'connection':
      return { ...state, connection: signal.connection };
    case 'events':
      if (signal.ids.length === 0 || state.waiting.size >= MAX_WAITING) return state;
      return { ...state, waiting: new Set([...state.waiting, ...signal.ids].slice(0, MAX_WAITING)) };
    case 'shown':
      return { ...state, waiting: new Set() };
    case 'started':
      return createLiveState(signal.at);
    case 'progress': {
      const advancedAt = signal.upToDate || signal.hasAdvanced ? signal.at : state.advancedAt;
      return { ...state, connection: signal.upToDate ? { kind: 'open' } : { kind: 'behind', since: advancedAt }, advancedAt };
    }
  }
}

/** Returns the number of waiting events, or "1,000+" from `MAX_WAITING` on. */
export function describeCount({ size }: ReadonlySet<number>): string {
  return size < MAX_WAITING ? size.toLocaleString('en') : `${MAX_WAITING.toLocaleString('en')}+`;
}

/** A shorter delay is not shown, because people would not notice it. */
const NOTICED_MS = 5_000;

/** Returns the state in words. @param isPaused whether new events wait until the user asks for them */
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
  return waiting.size === 0 ? 'Paused' : `Paused: ${describeCount(waiting)} new`;
}
