import type { AgentEvent, Change, ChangesPage, EventGroups } from './schemas.js';

/**
 * Matches control, format and ignorable characters, line separators, and blanks other than the space. Some are invisible, some
 * would imitate a new line, and some look like a space.
 */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes invisible characters of JSON text. Tabs and line breaks, which JSON has only between values, become spaces. */
export function escapeInvisible(json: string): string {
  return escapeCharacters(json.replaceAll(/[\t\n\r]+/g, ' '));
}

function escapeCharacters(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Escapes invisible characters in each text of a result. Names without them stay exact, since filters need exact names. */
export function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeCharacters(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTexts(member)]));
}

export const quote = (text: string) => escapeInvisible(JSON.stringify(text));

/** Writes a page for a model: a line for each event and change. Texts of users are quoted, so that none looks like a new line. */
export function writePage(page: ChangesPage): string {
  const { total, events, nextCursor, copyCompleteAt, byType, byPerson } = page;
  const first = events.length === total ? `${total} events` : `${events.length} of ${total} events`;
  return [
    `${first}, newest first. Times are in UTC.`,
    ...(copyCompleteAt === undefined ? [] : [`The log is an old copy. It is complete up to: ${copyCompleteAt}.`]),
    ...(byType ? [`By type: ${writeGroups(byType)}`] : []),
    ...(byPerson ? [`By person: ${writeGroups(byPerson)}`] : []),
    ...events.map(writeEvent),
    ...(nextCursor === undefined ? [] : [`There are older events. For the next page, pass this cursor: ${nextCursor}`]),
  ].join('\n');
}

export function writeEvent({ changes = [], moreChanges, ...event }: AgentEvent): string {
  const { id, createdAt, type, createdBy, environment, project, featureName, data, preData } = event;
  const named = { flag: featureName, project, environment };
  const names = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : ` ${name}=${quote(value)}`));
  return [
    `#${id} ${createdAt} ${quote(type)} by ${quote(createdBy)}${names.join('')}`,
    ...changes.map(writeChange),
    ...(moreChanges ? ['  There are more changes than these.'] : []),
    ...(preData === undefined ? [] : [`  state before: ${preData}`]),
    ...(data === undefined ? [] : [`  state after: ${data}`]),
  ].join('\n');
}

function writeChange({ kind, pointer, before, after }: Change): string {
  const values = [before, after].filter((value) => value !== undefined).join(' -> ');
  return `  ${kind} ${quote(pointer)}: ${values}`;
}

function writeGroups({ groups, other }: EventGroups): string {
  const all = groups.map(({ key, count }) => `${quote(key)} ${count}`);
  return [...all, ...(other > 0 ? [`others ${other}`] : [])].join(', ');
}
