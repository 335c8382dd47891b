/** The fields of an event that tell the state of its flag. */
export interface FlagEvent {
  readonly id: number;
  readonly typeName: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly featureName?: string | null | undefined;
  readonly environment?: string | null | undefined;
}

/** The events that determine the state of a flag. Each is the last one of its kind since the flag was created. */
export interface FlagState {
  readonly flag: string;
  /** The creation; undefined if it is not among the events. */
  readonly created?: FlagEvent;
  /** The last revival from the archive. */
  readonly revived?: FlagEvent;
  /** The archiving or the deletion, if the flag was not revived or created again later. */
  readonly end?: FlagEvent;
  /** The event that marked the flag as stale, if no later event removed the mark. */
  readonly stale?: FlagEvent;
  /** The last event that switched the flag on or off, by environment. A revival empties the map. Ordered by the first switch. */
  readonly switches: ReadonlyMap<string, FlagEvent>;
}

/**
 * Reads the state of a flag from its events.
 * @param events the events of the flag, oldest first
 * @returns undefined if none of the events tells a state
 */
export function readFlagState(events: readonly FlagEvent[]): FlagState | undefined {
  return events.reduce<FlagState | undefined>((state, event) => apply(state ?? EMPTY, event) ?? state, undefined);
}

const EMPTY: FlagState = { flag: 'this flag', switches: new Map() };

/** Returns the state after an event. Undefined for an event that does not change it. */
function apply(before: FlagState, event: FlagEvent): FlagState | undefined {
  const state = { ...before, flag: event.featureName ?? before.flag };
  switch (event.typeName) {
    case 'feature-created':
      return { flag: state.flag, switches: new Map(), created: event };
    case 'feature-archived':
    case 'feature-deleted':
      return { ...state, end: event };
    case 'feature-revived':
      return revive(state, event);
    case 'feature-stale-on':
      return { ...state, stale: event };
    case 'feature-stale-off':
      return withoutStale(state);
    case 'feature-environment-enabled':
    case 'feature-environment-disabled':
      return event.environment ? { ...state, switches: new Map(state.switches).set(event.environment, event) } : undefined;
    default:
      return undefined;
  }
}

/** Removes the switches, because a revival does not tell whether the flag is on in an environment. */
function revive({ end: _end, ...state }: FlagState, event: FlagEvent): FlagState {
  return { ...state, revived: event, switches: new Map() };
}

function withoutStale({ stale: _stale, ...state }: FlagState): FlagState {
  return state;
}
