import type { DescribedEvent } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, flagOf, inEnvironment, named } from './subjects.js';

/** Sentences of events about release plans, their milestones and safeguards, and impact metrics. */
export const RELEASE_PLAN_SENTENCES = {
  'release-plan-template-created': (event) => say`created ${templateOf(event)}`,
  'release-plan-template-updated': (event) => say`changed ${templateOf(event)}`,
  'release-plan-template-deleted': (event) => say`deleted ${templateOf(event)}`,
  'release-plan-template-archived': (event) => say`archived ${templateOf(event)}`,
  'release-plan-added': (event) => say`added ${planOf(event)} to ${flagIn(event)}`,
  'release-plan-removed': (event) => say`removed ${planOf(event)} from ${flagIn(event)}`,
  'release-plan-milestone-started': (event) => say`started ${milestoneOf(event)} in the release plan of ${flagIn(event)}`,
  'release-plan-progressions-paused': (event) => say`paused the automatic progression of the release plan of ${flagIn(event)}`,
  'release-plan-progressions-resumed': (event) => say`resumed the automatic progression of the release plan of ${flagIn(event)}`,
  'milestone-progression-created': (event) => say`added an automatic progression to a milestone of ${flagIn(event)}`,
  'milestone-progression-updated': (event) => say`edited the automatic progression of a milestone of ${flagIn(event)}`,
  'milestone-progression-changed': (event) => say`changed the automatic progression of a milestone of ${flagIn(event)}`,
  'milestone-progression-deleted': (event) => say`removed the automatic progression of a milestone of ${flagIn(event)}`,
  'safeguard-changed': (event) => say`changed a safeguard of ${flagIn(event)}`,
  'safeguard-deleted': (event) => say`deleted a safeguard of ${flagIn(event)}`,
  'safeguard-triggered': (event) => say`triggered a safeguard of ${flagIn(event)}`,
  'impact-metric-created': (event) => say`created ${metricOf(event)}`,
  'impact-metric-updated': (event) => say`changed ${metricOf(event)}`,
  'impact-metric-deleted': (event) => say`deleted ${metricOf(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

const templateOf = (event: DescribedEvent) => named(event, 'a release plan template', 'name');

const planOf = (event: DescribedEvent) => named(event, 'a release plan', 'name');

const milestoneOf = (event: DescribedEvent) => named(event, 'a milestone', 'milestoneName', 'name');

const metricOf = (event: DescribedEvent) => named(event, 'an impact metric', 'displayName', 'name', 'metricName');

const flagIn = (event: DescribedEvent): Phrase => say`${flagOf(event)}${inEnvironment(event)}`;
