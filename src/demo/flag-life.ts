import type { Act, FlagHistory } from './flag-history.js';
import type { Random } from './random.js';
import { ENVIRONMENTS, FLAGS, type Flag, ON_CALL, type Person, RELEASE_BOT } from './sample-team.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The archived flags that are revived or deleted afterwards. */
const REVIVED = 'wishlist-sharing';
const DELETED = 'ranking-experiment';

/** The mean time between two actions on a flag. */
const MEAN_GAP_MS = 0.75 * DAY_MS;

/** The times of a flag's life, in milliseconds since 1970. */
interface Times {
  readonly from: number;
  /** The time of the release that all flags share. The flag's own release is up to two hours later. */
  readonly release: number;
  readonly until: number;
  /** Whether the flag is archived at the end. */
  readonly isArchived: boolean;
}

/** Records a random life: the flag is created, rolled out, changed again and again, and in some cases archived. */
export function recordLife(flag: Flag, history: FlagHistory, times: Times, random: Random): void {
  const { from, until, isArchived } = times;
  const release = times.release + random.next() * 2 * HOUR_MS;
  let time = from;
  const next = (meanGapMs: number): Act => {
    time = toWorkingHours(time + MINUTE_MS - Math.log(1 - random.next()) * meanGapMs, random);
    return [time, random.pick(flag.project.team)];
  };

  history.create(next(HOUR_MS));
  for (const environment of ENVIRONMENTS) {
    history.rollOut(next(DAY_MS), environment, environment === 'production' ? 10 : 100);
    history.toggle(next(MINUTE_MS), environment, true);
  }
  let isReleased = time > release;
  for (let act = next(MEAN_GAP_MS); act[0] < until; act = next(MEAN_GAP_MS)) {
    if (!isReleased && act[0] > release) {
      isReleased = true;
      recordRelease(history, release);
    }
    recordChange(flag, history, act, random);
  }
  if (isArchived) recordEnd(history, until, random.pick(flag.project.team), flag.name);
}

function recordRelease(history: FlagHistory, from: number): void {
  for (const environment of ['staging', 'production'] as const) {
    history.rollOut([from, RELEASE_BOT], environment, 100);
    history.toggle([from + MINUTE_MS, RELEASE_BOT], environment, true);
  }
}

/** Records one change of a random kind. */
function recordChange({ name, project, description }: Flag, history: FlagHistory, act: Act, random: Random): void {
  const environment = random.pick(ENVIRONMENTS);
  const percent = random.pick([5, 10, 25, 50, 75, 100]);
  const others = FLAGS.filter((other) => other.project === project && other.name !== name);
  const needsReview = environment === 'production' && project.id === 'payments';
  const variants = [{ name: 'treatment', weight: percent * 10, weightType: 'fix', stickiness: 'default' }];
  const change = random.pickWeighted<() => void>([
    [36, () => (needsReview ? requestRollOut(history, act, percent) : history.rollOut(act, environment, percent))],
    [30, () => history.toggle(act, environment)],
    [9, () => history.add(act, 'feature-environment-variants-updated', { environment, data: { variants } })],
    [6, () => history.describe(act, `${description} ${random.pick(NOTES)}`)],
    [5, () => history.tag(act, 'simple', random.pick(['web', 'backend', 'needs-cleanup', 'runbook']))],
    [4, () => history.add(act, 'feature-favorited', { data: { feature: name } })],
    [2, () => history.removeStrategy(act, environment)],
    [1, () => history.add(act, 'feature-dependency-added', { data: { feature: random.pick(others).name, enabled: true } })],
    [1, () => history.add(act, 'feature-potentially-stale-on')],
  ]);
  change();
}

const NOTES = ['The rollout is by country.', 'The decision follows the next test.', 'The runbook says when to switch it off.'];

/** Rolls out in production by a change request. A request for all customers is rejected. */
function requestRollOut(history: FlagHistory, [at, by]: Act, percent: number): void {
  const later = (minutes: number, actor = by): Act => [at + minutes * MINUTE_MS, actor];
  // The id grows with the time.
  const changeRequestId = Math.floor(at / HOUR_MS);
  const request = { environment: 'production', data: { changeRequestId } };
  const change = { changeRequestId, action: 'updateStrategy', payload: { rollout: String(percent) } };
  history.add(later(0), 'change-request-created', request);
  history.add(later(1), 'change-added', { ...request, data: change });
  history.add(later(2), 'change-request-sent-to-review', request);
  if (percent === 100) {
    history.add(later(25, ON_CALL), 'change-request-rejected', request);
  } else {
    history.add(later(25, ON_CALL), 'change-request-approved', request);
    history.add(later(31), 'change-request-applied', request);
    history.rollOut(later(31), 'production', percent);
  }
}

function recordEnd(history: FlagHistory, end: number, by: Person, name: string): void {
  history.add([end - DAY_MS, by], 'feature-completed', { data: { status: 'kept' } });
  history.add([end - DAY_MS + HOUR_MS, by], 'feature-stale-on');
  history.add([end, by], 'feature-archived');
  if (name === REVIVED) history.add([end + 2 * DAY_MS, by], 'feature-revived');
  if (name === DELETED) history.add([end + 5 * DAY_MS, by], 'feature-deleted');
}

/** Moves a time to working hours, 7 to 17 in UTC, and most times of a weekend to Monday. */
function toWorkingHours(at: number, random: Random): number {
  const time = new Date(at);
  const hour = time.getUTCHours();
  if (hour < 7 || hour >= 17) time.setUTCHours(hour < 7 ? 7 : 31, 0, 0, Math.floor(random.next() * 9 * HOUR_MS));
  const daysToMonday = [1, 0, 0, 0, 0, 0, 2][time.getUTCDay()] ?? 0;
  return time.getTime() + (random.next() < 0.85 ? daysToMonday * DAY_MS : 0);
}
