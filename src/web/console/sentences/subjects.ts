import { type DescribedEvent, findLine, findValue, toLine } from './event-details.js';
import { type LinkKind, type Phrase, type SentencePart, say } from './sentence-part.js';

/** Describes what the creator of an event did, without naming the creator: "archived checkout". */
export type Describe = (event: DescribedEvent) => Phrase;

/** Returns a part that can link to the history of its value. Undefined for a value without text. */
export function linkTo(kind: LinkKind, value: unknown): SentencePart | undefined {
  const text = toLine(value);
  return text === undefined ? undefined : { kind, text, value: String(value) };
}

export const nameOf = (text: string): SentencePart => ({ kind: 'name', text });

/** The flag, or "a flag". */
export const flagOf = ({ featureName }: DescribedEvent): Phrase => say`${linkTo('flag', featureName) ?? 'a flag'}`;

/** "project default", "all projects", or "a project". */
export const projectOf = ({ project }: DescribedEvent): Phrase => projectNamed(project);

/** Does the same as `projectOf` for an id of any type. @param otherwise the text if there is no id */
export function projectNamed(id: unknown, otherwise = 'a project'): Phrase {
  if (id === '*') return say`all projects`;
  const found = linkTo('project', id);
  return found ? say`project ${found}` : say`${otherwise}`;
}

/** Returns "environment production", or "an environment" without a name. Reads `environment` first, then the keys in the data. */
export function environmentOf(event: DescribedEvent, ...keys: readonly string[]): Phrase {
  const found = linkTo('environment', event.environment) ?? linkTo('environment', findValue(event, ...keys));
  return found ? say`environment ${found}` : say`an environment`;
}

/** Returns " in production", or `otherwise` if the event has no environment. @param otherwise empty, or begins with a blank */
export function inEnvironment({ environment }: DescribedEvent, otherwise = ''): Phrase {
  const found = linkTo('environment', environment);
  return found ? say` in ${found}` : say`${otherwise}`;
}

/** " in project default", or nothing. */
export function inProject({ project }: DescribedEvent): Phrase {
  const found = projectNamed(project, '');
  return found.length === 0 ? [] : say` in ${found}`;
}

/**
 * Returns a noun with the name that the data has under one of the keys: "the segment beta-users", "user 7". Quotes a name with
 * blanks. Without a name, returns only the noun with its article.
 * @param noun has its article, such as "a segment"
 */
export function named(event: DescribedEvent, noun: string, ...keys: readonly string[]): Phrase {
  const name = findLine(event, ...keys);
  if (name === undefined) return say`${noun}`;
  const bareNoun = noun.replace(/^an? /, '');
  if (/^\d+$/.test(name)) return say`${bareNoun} ${nameOf(name)}`;
  return name.includes(' ') ? say`the ${bareNoun} “${nameOf(name)}”` : say`the ${bareNoun} ${nameOf(name)}`;
}

/** The user that the data is about. The payload has a name, an email or only an id. */
export const userOf = (event: DescribedEvent): Phrase => named(event, 'a user', 'name', 'username', 'email', 'userId', 'id');

export const groupOf = (event: DescribedEvent): Phrase => named(event, 'a group', 'groupName', 'name', 'groupId', 'id');

/** Returns "a, b, c and 3 more", with at most `shown` names. Instead of "and 1 more", adds the last name. */
export function listNames(names: readonly string[], shown = 3): Phrase {
  const more = names.length - shown;
  const parts = names.slice(0, more === 1 ? shown + 1 : shown).map(nameOf);
  return parts.flatMap((name, index) => {
    const isLast = index === parts.length - 1;
    const separator = index === 0 ? '' : isLast && more <= 1 ? ' and ' : ', ';
    return say`${separator}${name}${isLast && more > 1 ? ` and ${more} more` : ''}`;
  });
}
