import { useMemo } from 'react';
import type { EventDimension } from '../../../generated/console/graphql.js';
import { useGroups } from '../api/queries.js';
import type { ConsoleFilter, ListField } from '../filter/console-filter.js';
import { findField, KEYS } from '../filter/filter-keys.js';
import { parseFilterText } from '../filter/filter-text.js';
import { type FilterToken, quote, splitFilterText } from '../filter/filter-token.js';
import { toEventFilter } from '../filter/filter-variables.js';

/** A completion of the filter text. */
export interface Suggestion {
  /** The whole text with the completion. */
  readonly completed: string;
  readonly label: string;
  /** The meaning of the suggestion, or the number of its events. */
  readonly note: string;
}

const DIMENSIONS: Readonly<Record<ListField, EventDimension>> = {
  types: 'TYPE',
  notTypes: 'TYPE',
  projects: 'PROJECT',
  flags: 'FEATURE',
  environments: 'ENVIRONMENT',
  people: 'CREATED_BY',
};

const KEY_NOTES: Readonly<Record<string, string>> = {
  project: 'id of a project',
  type: 'type of event',
  '-type': 'type of event to leave out',
  by: 'who did it',
  flag: 'name of a flag',
  env: 'environment',
  since: 'start: an age, a UTC day or an instant',
  until: 'end: an age, a UTC day (included) or an instant',
};

/** Ages, with their notes for `since` and for `until`. */
const AGES = [
  ['1h', 'the last hour', 'until an hour ago'],
  ['24h', 'the last day', 'until a day ago'],
  ['7d', 'the last week', 'until a week ago'],
  ['30d', 'the last month', 'until a month ago'],
  ['90d', 'the last three months', 'until three months ago'],
] as const;

/** The highest number of values that the API returns for a field: the limit of its argument `top`. */
const MOST_VALUES = 50;

export interface Suggestions {
  readonly suggestions: readonly Suggestion[];
  /** Whether the part at the caret differs from every suggestion, so that the user may still complete it. */
  readonly isPartial: boolean;
}

/** Suggests completions of the part at the caret: keys, values of the log with the numbers of their events, and times. */
export function useSuggestions(text: string, caret: number, isOpen: boolean): Suggestions {
  const token = findToken(text, caret);
  const key = token?.key === undefined ? undefined : `${token.isNegative ? '-' : ''}${token.key}`;
  const field = key === undefined ? undefined : findField(key);
  const list = field === undefined || field === 'since' || field === 'until' ? undefined : field;
  const others = { ...filterWithout(text, token), ...(list !== undefined && { [list]: [] }) };
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const groups = useGroups(toEventFilter(others, minute), DIMENSIONS[list ?? 'types'], MOST_VALUES, isOpen && list !== undefined);
  const values = groups.data?.eventCounts.groups;
  const suggestions = useMemo(() => {
    const complete = (part: string) => completeAt(text, caret, token, part);
    if (field === undefined) return suggestKeys(token, complete);
    if (field === 'since' || field === 'until') return suggestTimes(field, key, token, complete);
    const typed = token?.value.toLowerCase() ?? '';
    return (values ?? [])
      .flatMap(({ key: name, count }) => (name == null || !name.toLowerCase().includes(typed) ? [] : [{ name, count }]))
      .map(({ name, count }) => ({
        completed: `${complete(`${key}:${quote(name)}`)} `,
        label: name,
        note: count.toLocaleString('en'),
      }));
  }, [text, caret, token, key, field, values]);
  const isWhole = token === undefined || suggestions.some(({ label }) => label === token.value);
  return { suggestions, isPartial: !isWhole };
}

type Complete = (part: string) => string;

function suggestKeys(token: FilterToken | undefined, complete: Complete): Suggestion[] {
  const typed = token?.key === undefined ? (token?.raw.toLowerCase() ?? '') : '\0';
  return KEYS.filter((key) => key.startsWith(typed)).map((key) => ({
    completed: complete(`${key}:`),
    label: `${key}:`,
    note: KEY_NOTES[key] ?? '',
  }));
}

function suggestTimes(
  field: 'since' | 'until',
  key: string | undefined,
  token: FilterToken | undefined,
  complete: Complete,
): Suggestion[] {
  return AGES.filter(([age]) => age.startsWith(token?.value ?? '')).map(([age, since, until]) => ({
    completed: `${complete(`${key}:${age}`)} `,
    label: age,
    note: field === 'since' ? since : until,
  }));
}

const findToken = (text: string, caret: number): FilterToken | undefined =>
  splitFilterText(text).find(({ start, end }) => start < caret && caret <= end);

/** Returns the filter of the other parts of the text, even if they were only typed and are not applied yet. */
function filterWithout(text: string, token: FilterToken | undefined): ConsoleFilter {
  return parseFilterText(token ? `${text.slice(0, token.start)} ${text.slice(token.end)}` : text).filter;
}

/** Returns the text with `part` in place of the part at the caret, or inserted at the caret if there is none. */
function completeAt(text: string, caret: number, token: FilterToken | undefined, part: string): string {
  const [start, end] = token ? [token.start, token.end] : [caret, caret];
  const [before, after] = [text.slice(0, start), text.slice(end).trimStart()];
  const gap = before === '' || before.endsWith(' ') ? '' : ' ';
  return `${before}${gap}${part}${after === '' ? '' : ` ${after}`}`;
}
