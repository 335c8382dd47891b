import { type DescribedEvent, findLine } from './event-details.js';
import { type Phrase, say } from './sentence-part.js';
import { type Describe, environmentOf, flagOf, named, nameOf } from './subjects.js';

/** Sentences of events about tags and what all projects share: environments, context fields, settings, banners, clients. */
export const INSTANCE_SENTENCES = {
  'environment-created': (event) => say`created ${environmentOf(event, 'name')}`,
  'environment-updated': (event) => say`changed ${environmentOf(event, 'name')}`,
  'environment-deleted': (event) => say`deleted ${environmentOf(event, 'name')}`,
  'environment-import': (event) => say`imported ${environmentOf(event, 'name')}`,
  'drop-environments': () => say`removed all environments`,
  'context-field-created': (event) => say`created ${contextFieldOf(event)}`,
  'context-field-updated': (event) => say`changed ${contextFieldOf(event)}`,
  'context-field-deleted': (event) => say`deleted ${contextFieldOf(event)}`,
  'tag-created': (event) => say`created ${tagOf(event)}`,
  'tag-deleted': (event) => say`deleted ${tagOf(event)}`,
  'tag-import': (event) => say`imported ${tagOf(event)}`,
  'drop-tags': () => say`removed all tags`,
  'tag-type-created': (event) => say`created ${tagTypeOf(event)}`,
  'tag-type-updated': (event) => say`changed ${tagTypeOf(event)}`,
  'tag-type-deleted': (event) => say`deleted ${tagTypeOf(event)}`,
  'tag-type-import': (event) => say`imported ${tagTypeOf(event)}`,
  'drop-tag-types': () => say`removed all tag types`,
  'feature-tagged': (event) => say`added ${tagOf(event)} to ${flagOf(event)}`,
  'feature-untagged': (event) => say`removed ${tagOf(event)} from ${flagOf(event)}`,
  'feature-tag-import': (event) => say`imported ${tagOf(event)} of ${flagOf(event)}`,
  'drop-feature-tags': () => say`removed the tags of all flags`,
  'setting-created': (event) => say`created ${settingOf(event)}`,
  'setting-updated': (event) => say`changed ${settingOf(event)}`,
  'setting-deleted': (event) => say`deleted ${settingOf(event)}`,
  'banner-created': (event) => say`created ${bannerOf(event)}`,
  'banner-updated': (event) => say`changed ${bannerOf(event)}`,
  'banner-deleted': (event) => say`deleted ${bannerOf(event)}`,
  'application-created': (event) => say`registered ${applicationOf(event)} for the first time`,
  'client-register': (event) => say`registered a client of ${applicationOf(event)}`,
  'client-metrics': (event) => say`reported the metrics of ${applicationOf(event)}`,
  'db-pool-update': () => say`reported the state of the database connections`,
} as const satisfies Readonly<Record<string, Describe>>;

const contextFieldOf = (event: DescribedEvent) => named(event, 'a context field', 'name');

const tagTypeOf = (event: DescribedEvent) => named(event, 'a tag type', 'name');

const settingOf = (event: DescribedEvent) => named(event, 'a setting', 'id', 'name');

const bannerOf = (event: DescribedEvent) => named(event, 'a banner', 'message');

const applicationOf = (event: DescribedEvent) => named(event, 'an application', 'appName', 'name');

/** "the tag simple:payments". */
function tagOf(event: DescribedEvent): Phrase {
  const [type, value] = [findLine(event, 'type', 'tagType'), findLine(event, 'value', 'tagValue')];
  if (value === undefined) return say`a tag`;
  return say`the tag ${nameOf(type === undefined ? value : `${type}:${value}`)}`;
}
