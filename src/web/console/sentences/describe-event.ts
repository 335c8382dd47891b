import type { EventType } from '../../../generated/console/graphql.js';
import { CHANGE_REQUEST_SENTENCES } from './change-request-sentences.js';
import { type DescribedEvent, toLine } from './event-details.js';
import { FLAG_SENTENCES } from './flag-sentences.js';
import { INSTANCE_SENTENCES } from './instance-sentences.js';
import { INTEGRATION_SENTENCES } from './integration-sentences.js';
import { PROJECT_SENTENCES } from './project-sentences.js';
import { RELEASE_PLAN_SENTENCES } from './release-plan-sentences.js';
import { type Phrase, type SentencePart, say, toText } from './sentence-part.js';
import { STRATEGY_SENTENCES } from './strategy-sentences.js';
import { type Describe, inEnvironment, inProject, linkTo } from './subjects.js';
import { TOKEN_SENTENCES } from './token-sentences.js';
import { USER_SENTENCES } from './user-sentences.js';

/** `FEATURE_CREATED` is `feature-created` on the wire. */
type WireName<Type extends string> = Type extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}-${WireName<Rest>}`
  : Lowercase<Type>;

/** An event type that the schema lists, as on the wire. */
export type KnownType = WireName<Exclude<EventType, 'OTHER'>>;

/** The compiler rejects a type without a sentence. */
const SENTENCES: Readonly<Record<KnownType, Describe>> = {
  ...FLAG_SENTENCES,
  ...STRATEGY_SENTENCES,
  ...PROJECT_SENTENCES,
  ...USER_SENTENCES,
  ...TOKEN_SENTENCES,
  ...CHANGE_REQUEST_SENTENCES,
  ...RELEASE_PLAN_SENTENCES,
  ...INTEGRATION_SENTENCES,
  ...INSTANCE_SENTENCES,
};

/** The event types that the schema lists, as on the wire, in alphabetical order. */
export const KNOWN_TYPES: readonly KnownType[] = (Object.keys(SENTENCES) as KnownType[]).sort();

/**
 * Describes an event in one sentence without a period: "Ada disabled dark_mode in production". For a type that the schema
 * does not list, the sentence has the name of the type. Works with `data` and `preData` of any form. The `*-sentences.ts` files
 * have the words for each type.
 */
export function describeEventParts(event: DescribedEvent): readonly SentencePart[] {
  const creator = linkTo('person', event.createdBy) ?? 'Somebody';
  const describe = isKnownType(event.typeName) ? SENTENCES[event.typeName] : describeUnknown;
  return say`${creator} ${describe(event)}`;
}

/** The sentence of `describeEventParts` as plain text. */
export const describeEvent = (event: DescribedEvent): string => toText(describeEventParts(event));

/** Whether the schema lists the type. */
export const isKnownType = (typeName: string): typeName is KnownType => Object.hasOwn(SENTENCES, typeName);

function describeUnknown(event: DescribedEvent): Phrase {
  const flag = linkTo('flag', event.featureName);
  const place = say`${flag && say` to ${flag}`}${inEnvironment(event)}${flag ? '' : inProject(event)}`;
  return say`did “${toLine(event.typeName) ?? ''}”${place}`;
}
