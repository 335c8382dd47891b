import { toLine } from '../sentences/event-details.js';
import { formatDate } from '../time/format-time.js';
import { type FlagEvent, type FlagState, readFlagState } from './flag-state.js';

/** The state of a flag in one sentence, with its evidence. */
export interface FlagConclusion {
  readonly sentence: string;
  /** The ids of the events that the sentence is concluded from, the lowest first. */
  readonly basedOn: readonly number[];
}

/** The most environments that the sentence names in one list. */
const MAX_NAMES = 6;

/**
 * Concludes the state of a flag from its events. The sentence says "as far as the log tells" if the creation of the flag is not
 * among the events.
 * @param events the events of the flag, newest first, as the API returns them
 * @param options.timeZone the zone of the dates in the sentence
 */
export function concludeFlagState(events: readonly FlagEvent[], options: { readonly timeZone: string }): FlagConclusion {
  const state = readFlagState([...events].reverse());
  const parts = state ? describeState(state, options.timeZone) : [];
  if (state === undefined || parts.length === 0) {
    return { sentence: 'The log has no event that tells the state of this flag.', basedOn: [] };
  }
  const sentence = `${toLine(state.flag) ?? 'This flag'} ${joinParts(parts)}.`;
  return { sentence: state.created ? sentence : `As far as the log tells, ${sentence}`, basedOn: listEvidence(state) };
}

function describeState(state: FlagState, timeZone: string): readonly string[] {
  const life = describeLife(state, timeZone);
  if (state.end) return life;
  return [...life, ...describeEnvironments(state), ...describeLastSwitch(state, timeZone), ...describeStale(state, timeZone)];
}

function describeLife({ created, revived, end }: FlagState, timeZone: string): string[] {
  const act = (verb: string, { createdBy, createdAt }: FlagEvent) =>
    `was ${verb} by ${toLine(createdBy) ?? 'somebody'} on ${formatDate(new Date(createdAt), timeZone)}`;
  return [
    ...(created ? [act('created', created)] : []),
    ...(revived && !end ? [act('revived', revived)] : []),
    ...(end ? [act(end.typeName === 'feature-deleted' ? 'deleted' : 'archived', end)] : []),
  ];
}

function describeEnvironments({ switches, created, revived }: FlagState): string[] {
  const namesOf = (typeName: string) => [...switches].filter(([, event]) => event.typeName === typeName).map(([name]) => name);
  const [on, off] = [namesOf('feature-environment-enabled'), namesOf('feature-environment-disabled')];
  if (on.length === 0 && off.length === 0) {
    // A new flag is disabled. After a revival, or without the creation in the log, the flag can be enabled or disabled.
    if (created && !revived) return ['has not been enabled in any environment'];
    return revived ? ['has not been enabled or disabled since then'] : [];
  }
  return [...(on.length > 0 ? [`is on in ${listWords(on)}`] : []), ...(off.length > 0 ? [`is off in ${listWords(off)}`] : [])];
}

const isAfter = (one: FlagEvent, other: FlagEvent): boolean =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

/** Says who was the last to switch the flag on or off in an environment. */
function describeLastSwitch({ switches }: FlagState, timeZone: string): string[] {
  const last = [...switches.values()].reduce<FlagEvent | undefined>(
    (found, event) => (found && isAfter(found, event) ? found : event),
    undefined,
  );
  if (!last) return [];
  const way = last.typeName === 'feature-environment-enabled' ? 'on' : 'off';
  const who = toLine(last.createdBy) ?? 'somebody';
  return [
    `was last switched ${way} in ${listWords([last.environment ?? ''])} by ${who} on ${formatDate(new Date(last.createdAt), timeZone)}`,
  ];
}

function describeStale({ stale }: FlagState, timeZone: string): string[] {
  return stale ? [`has been stale since ${formatDate(new Date(stale.createdAt), timeZone)}`] : [];
}

function listEvidence({ created, revived, end, stale, switches }: FlagState): readonly number[] {
  const current = end ? [] : [revived, stale, ...switches.values()];
  return [created, end, ...current].flatMap((event) => event?.id ?? []).sort((one, other) => one - other);
}

function listWords(names: readonly string[]): string {
  const words = names.map((name) => toLine(name) ?? 'an environment');
  const more = words.length - MAX_NAMES;
  if (more > 0) return `${words.slice(0, MAX_NAMES).join(', ')} and ${more} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Joins the parts by commas, because a part can contain "and". */
const joinParts = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
