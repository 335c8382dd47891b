import { type DescribedEvent, read, toLine } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, flagOf, inEnvironment, named, nameOf, projectOf } from './subjects.js';

/** Sentences of events about the strategies of flags, about the types of strategies, and about segments. */
export const STRATEGY_SENTENCES = {
  'feature-strategy-add': (event) =>
    say`added ${strategyOf(event)} to ${flagOf(event)}${inEnvironment(event)}${atRollout(event)}`,
  'feature-strategy-update': (event) =>
    say`changed ${strategyOf(event)} of ${flagOf(event)}${inEnvironment(event)}${fromRollout(event)}`,
  'feature-strategy-remove': (event) => say`removed ${strategyOf(event)} from ${flagOf(event)}${inEnvironment(event)}`,
  'strategy-order-changed': (event) => say`reordered the strategies of ${flagOf(event)}${inEnvironment(event)}`,
  'default-strategy-updated': (event) => say`changed the default strategy of ${projectOf(event)}${inEnvironment(event)}`,
  'strategy-created': (event) => say`created ${typeOf(event)}`,
  'strategy-updated': (event) => say`changed ${typeOf(event)}`,
  'strategy-deleted': (event) => say`deleted ${typeOf(event)}`,
  'strategy-deprecated': (event) => say`deprecated ${typeOf(event)}`,
  'strategy-reactivated': (event) => say`reactivated ${typeOf(event)}`,
  'strategy-import': (event) => say`imported ${typeOf(event)}`,
  'drop-strategies': () => say`removed all strategy types`,
  'segment-created': (event) => say`created ${segmentOf(event)}`,
  'segment-updated': (event) => say`changed ${segmentOf(event)}`,
  'segment-deleted': (event) => say`deleted ${segmentOf(event)}`,
  'segment-import': (event) => say`imported ${segmentOf(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

/** Names a strategy by the title that people gave it, or else by its type. */
const strategyOf = (event: DescribedEvent) => named(event, 'a strategy', 'title', 'name', 'strategyName');

const typeOf = (event: DescribedEvent) => named(event, 'a strategy type', 'name');

const segmentOf = (event: DescribedEvent) => named(event, 'a segment', 'name', 'id');

const rolloutOf = (state: unknown): string | undefined => {
  const percent = toLine(read(state, 'parameters', 'rollout'));
  return percent !== undefined && /^\d{1,3}$/.test(percent) ? `${percent} %` : undefined;
};

function atRollout({ data }: DescribedEvent): Phrase {
  const rollout = rolloutOf(data);
  return rollout === undefined ? [] : say` at ${nameOf(rollout)}`;
}

/** Says the old and the new rollout percentage. If the event did not change it, describes a change of `disabled` instead. */
function fromRollout(event: DescribedEvent): Phrase {
  const [before, after] = [rolloutOf(event.preData), rolloutOf(event.data)];
  if (before === after || before === undefined || after === undefined) return describeSwitch(event);
  return say` from ${nameOf(before)} to ${nameOf(after)}`;
}

/** Says whether the event switched the strategy on or off. A strategy can be off while its flag is on. */
function describeSwitch({ data, preData }: DescribedEvent): Phrase {
  const [before, after] = [read(preData, 'disabled'), read(data, 'disabled')];
  if (before === true && after === false) return say`, which is on again`;
  return before === false && after === true ? say`, which is now off` : [];
}
