import type { EventType } from '../events/event-types.js';
import { type Draft, FlagHistory } from './flag-history.js';
import { recordLife } from './flag-life.js';
import { createRandom } from './random.js';
import { ARCHIVED_ON, BRUNO, CHECKOUT, DANA, ELIF, FLAGS, OFFICE_EVENTS, ON_CALL, RELEASE_BOT } from './sample-team.js';

/** An event in wire form (spec 2.1), as an import reads it. */
export interface SampleEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: EventType;
  readonly createdBy: string;
  readonly createdByUserId: number;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: unknown;
  readonly preData: unknown;
  readonly tags: readonly { readonly type: string; readonly value: string }[];
}

const SEED = 13;
const DAYS = 90;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The day on which everything is rolled out, so that the log has a peak. */
const RELEASE_DAY = 57;

/** The day on whose evening `checkout` is switched off, six days before the last day of the log. */
const INCIDENT_DAY = 83;

/**
 * Generates a log of some 2,000 events in the 90 days before `now`. The same `now` and `seed` give the same log.
 * The log is generated rather than recorded, so that its newest events are recent when it is imported.
 */
export function generateSampleLog(now: Date, seed = SEED): SampleEvent[] {
  const drafts: Draft[] = [];
  const record = (draft: Draft) => void drafts.push(draft);
  const firstDay = (Math.floor(now.getTime() / DAY_MS) - DAYS + 1) * DAY_MS;
  const at = (day: number, hour: number) => firstDay + day * DAY_MS + hour * HOUR_MS;
  const random = createRandom(seed);

  OFFICE_EVENTS.forEach(([day, by, type, fields], index) => {
    record({ at: at(day, 8) + index * MINUTE_MS, by, type, ...fields });
  });
  recordCheckout(new FlagHistory(CHECKOUT, record), at);
  // With this event, the newest event of the log is at most 38 minutes old at any time of the day.
  const exported = { environment: 'staging', data: { features: [CHECKOUT.name] } };
  record({ at: now.getTime() - 38 * MINUTE_MS, by: DANA, type: 'features-exported', ...exported });
  FLAGS.forEach((flag, index) => {
    const archivedOn = ARCHIVED_ON[flag.name];
    const times = {
      from: at(1 + index, 9),
      release: at(RELEASE_DAY, 9),
      until: at(archivedOn ?? DAYS, 10),
      isArchived: archivedOn !== undefined,
    };
    recordLife(flag, new FlagHistory(flag, record), times, random);
  });

  return drafts
    .filter((draft) => draft.at <= now.getTime())
    .sort((one, other) => one.at - other.at)
    .map(toSampleEvent);
}

function toSampleEvent(
  { at, type, by, environment, project, featureName, data, preData, tags }: Draft,
  index: number,
): SampleEvent {
  return {
    id: index + 1,
    createdAt: new Date(at).toISOString(),
    type,
    createdBy: by.name,
    createdByUserId: by.id,
    environment: environment ?? null,
    project: project ?? null,
    featureName: featureName ?? null,
    data: data ?? null,
    preData: preData ?? null,
    tags: tags ?? [],
  };
}

/** Converts a day of the log and a UTC hour, both counted from 0, to milliseconds since 1970. */
type At = (day: number, hour: number) => number;

/** Rolls `checkout` out step by step. It is switched off in production during an incident, and stays off. */
function recordCheckout(history: FlagHistory, at: At): void {
  history.create([at(5, 9.2), DANA]);
  history.rollOut([at(5, 14), DANA], 'development', 100);
  history.toggle([at(5, 14.1), DANA], 'development', true);
  history.rollOut([at(13, 10.5), BRUNO], 'staging', 100);
  history.toggle([at(13, 10.6), BRUNO], 'staging', true);
  history.toggle([at(20, 15.2), ELIF], 'staging', false);
  history.toggle([at(21, 8.4), BRUNO], 'staging', true);
  history.rollOut([at(27, 9.5), DANA], 'production', 5, [1]);
  history.toggle([at(27, 9.6), DANA], 'production', true);
  history.rollOut([at(34, 11.1), DANA], 'production', 25, [1]);
  history.rollOut([at(48, 13.7), ELIF], 'production', 50);
  history.rollOut([at(RELEASE_DAY, 9.1), RELEASE_BOT], 'production', 100);
  history.describe([at(70, 16.3), DANA], 'The new checkout on one page, for all customers.');
  history.rollOut([at(INCIDENT_DAY, 19.5), ON_CALL], 'production', 50);
  history.tag([at(INCIDENT_DAY, 19.6), ON_CALL], 'simple', 'incident');
  history.toggle([at(INCIDENT_DAY, 19.7), ON_CALL], 'production', false);
}
