import { type DescribedEvent, findValue, read, toLine, toLines } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, flagOf, inEnvironment, inProject, linkTo, listNames, named, nameOf } from './subjects.js';

/** Sentences of events about one flag or several flags. */
export const FLAG_SENTENCES = {
  'feature-created': (event) => say`created ${flagOf(event)}${inProject(event)}`,
  'feature-deleted': (event) => say`deleted ${flagOf(event)}`,
  'feature-updated': (event) => say`changed ${flagOf(event)}${inEnvironment(event)}`,
  'feature-metadata-updated': (event) => say`edited ${describeMetadata(event)} of ${flagOf(event)}`,
  'feature-type-updated': (event) => say`changed the type of ${flagOf(event)}${fromTo(event, 'type')}`,
  'feature-variants-updated': (event) => say`changed the variants of ${flagOf(event)}`,
  'feature-environment-variants-updated': (event) =>
    say`changed the variants of ${flagOf(event)}${inEnvironment(event, ' in one environment')}`,
  'feature-project-change': (event) => say`moved ${flagOf(event)}${describeMove(event)}`,
  'feature-archived': (event) => say`archived ${flagOf(event)}`,
  'feature-revived': (event) => say`revived ${flagOf(event)} from the archive`,
  'feature-import': (event) => say`imported ${flagOf(event)}`,
  'features-imported': (event) => say`imported flags${intoProject(event)}${inEnvironment(event)}`,
  'features-exported': (event) => say`exported ${describeExport(event)}`,
  'drop-features': () => say`removed all flags`,
  'feature-environment-enabled': (event) => say`enabled ${flagOf(event)}${inEnvironment(event)}`,
  'feature-environment-disabled': (event) => say`disabled ${flagOf(event)}${inEnvironment(event)}`,
  'feature-completed': (event) => say`marked ${flagOf(event)} as completed${describeOutcome(event)}`,
  'feature-uncompleted': (event) => say`marked ${flagOf(event)} as not completed`,
  'feature-stale-on': (event) => say`marked ${flagOf(event)} as stale`,
  'feature-stale-off': (event) => say`marked ${flagOf(event)} as no longer stale`,
  'feature-potentially-stale-on': (event) => say`marked ${flagOf(event)} as potentially stale`,
  'feature-favorited': (event) => say`added ${flagOf(event)} to their favorites`,
  'feature-unfavorited': (event) => say`removed ${flagOf(event)} from their favorites`,
  'feature-dependency-added': (event) => say`made ${flagOf(event)} depend on ${parentOf(event)}`,
  'feature-dependency-removed': (event) => say`ended the dependency of ${flagOf(event)} on ${parentOf(event)}`,
  'feature-dependencies-removed': (event) => say`removed all dependencies of ${flagOf(event)}`,
  'feature-link-added': (event) => say`added ${linkOf(event)} to ${flagOf(event)}`,
  'feature-link-removed': (event) => say`removed ${linkOf(event)} from ${flagOf(event)}`,
  'feature-link-updated': (event) => say`changed ${linkOf(event)} of ${flagOf(event)}`,
} as const satisfies Readonly<Record<string, Describe>>;

const linkOf = (event: DescribedEvent) => named(event, 'a link', 'title', 'url');

/** The words for the fields of a flag that people change. */
const METADATA: Readonly<Record<string, string>> = {
  description: 'the description',
  type: 'the type',
  name: 'the name',
  stale: 'the stale mark',
  impressionData: 'the impression data setting',
};

function describeMetadata({ data, preData }: DescribedEvent): Phrase {
  const isComparable = [data, preData].every((state) => typeof state === 'object' && state !== null);
  const changed = Object.keys(METADATA).filter((key) => isComparable && scalarOf(data, key) !== scalarOf(preData, key));
  const words = changed.map((key) => METADATA[key] ?? key);
  if (words.length === 0) return say`the settings`;
  return say`${words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`}`;
}

/** Returns the value of a field, for a comparison. Null counts as absent. No field in `METADATA` is a list or an object. */
function scalarOf(state: unknown, key: string): unknown {
  const value = read(state, key);
  return typeof value === 'object' ? undefined : value;
}

/** Returns " from release to experiment". Omits a value that the event does not have. */
function fromTo({ data, preData }: DescribedEvent, key: string): Phrase {
  const [before, after] = [toLine(read(preData, key)), toLine(read(data, key))];
  return say`${before && say` from ${nameOf(before)}`}${after && say` to ${nameOf(after)}`}`;
}

function describeMove({ data, preData, project }: DescribedEvent): Phrase {
  const before = linkTo('project', read(data, 'oldProject')) ?? linkTo('project', read(preData, 'project'));
  const after = linkTo('project', read(data, 'newProject')) ?? linkTo('project', project);
  return say`${before && say` from project ${before}`} to ${after ? say`project ${after}` : 'another project'}`;
}

function parentOf(event: DescribedEvent): Phrase {
  return say`${linkTo('flag', findValue(event, 'feature')) ?? 'another flag'}`;
}

/** "3 flags from production: a, b and c". */
function describeExport({ data, environment }: DescribedEvent): Phrase {
  const names = toLines(read(data, 'features'));
  const count = names.length === 0 ? 'flags' : names.length === 1 ? '1 flag' : `${names.length} flags`;
  const found = linkTo('environment', environment);
  return say`${count}${found && say` from ${found}`}${names.length === 0 ? '' : ': '}${listNames(names)}`;
}

function intoProject({ project }: DescribedEvent): Phrase {
  const found = linkTo('project', project);
  return found ? say` into project ${found}` : [];
}

function describeOutcome({ data }: DescribedEvent): Phrase {
  const status = read(data, 'status');
  if (status === 'kept') return say` and kept`;
  return status === 'discarded' ? say` and discarded` : [];
}
