import { isKnownType } from '../sentences/describe-event.js';
import { addTerm, type ConsoleFilter, EMPTY_FILTER, type ListField, listTerms, type TimeField } from './console-filter.js';
import { findField, KEY_OF, KEYS, suggestKey } from './filter-keys.js';
import { type FilterToken, quote, quoteText, splitFilterText } from './filter-token.js';
import { isTime, TIME_RULE } from './relative-time.js';

/** A part of the filter text that is not applied, for example because it cannot be read. */
export interface FilterProblem {
  /** A sentence for the person who wrote the text. */
  readonly message: string;
  /** The part as it was written. `start` is its position in the text, and `end` is the position after it. */
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** A text to replace the part with. */
  readonly suggestion?: string;
}

/** The longest search text that the API accepts. */
const MAX_TEXT_CHARACTERS = 1_000;

/**
 * Reads a filter text such as `project:default type:feature-archived by:"Ada L" since:7d "free text"`. The case of keys does not
 * matter. Several values of one key are alternatives. `-type:feature-updated` excludes a type. Words without a key form one
 * search text, with blanks between the words.
 * @returns the filter from the valid parts, and a problem for each invalid part
 */
export function parseFilterText(text: string): { readonly filter: ConsoleFilter; readonly problems: readonly FilterProblem[] } {
  let filter = EMPTY_FILTER;
  const words: string[] = [];
  const problems: FilterProblem[] = [];
  for (const token of splitFilterText(text)) {
    const { key, value } = token;
    const problem = findProblem(token, filter);
    if (problem !== undefined) problems.push({ ...problem, term: token.raw, start: token.start, end: token.end });
    else if (key === undefined) words.push(...(value === '' ? [] : [value]));
    else filter = addTerm(filter, { field: findField(token.isNegative ? `-${key}` : key) ?? 'types', value });
  }
  const joined = words.join(' ');
  if ([...joined].length <= MAX_TEXT_CHARACTERS) return { filter: { ...filter, text: joined }, problems };
  const message = `The text to search for has at most ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters.`;
  return { filter, problems: [...problems, { message, term: text, start: 0, end: text.length }] };
}

/** Prints a filter as the text that `parseFilterText` reads. */
export function printFilterText(filter: ConsoleFilter): string {
  const print = ({ field, value }: ReturnType<typeof listTerms>[number]) =>
    field === 'text' ? quoteText(value) : `${KEY_OF[field]}:${quote(value)}`;
  return listTerms(filter).map(print).join(' ');
}

type Finding = Pick<FilterProblem, 'message' | 'suggestion'>;

function findProblem(token: FilterToken, filter: ConsoleFilter): Finding | undefined {
  const { key, value, raw } = token;
  const field = key === undefined ? undefined : findField(key);
  if (key !== undefined && field === undefined) return describeUnknownKey(token, key);
  if (token.isOpen) {
    const message = `A quote is missing at the end of ${raw}.`;
    return value === '' ? { message } : { message, suggestion: raw.slice(0, raw.indexOf('"')) + quoteText(value) };
  }
  if (field === undefined) return undefined;
  const name = KEY_OF[field];
  if (value.trim() === '') return { message: `${name}: needs a value, such as ${name}:${EXAMPLES[name]}.` };
  if (token.isNegative) return findProblemOfExclusion(token, field);
  if (field !== 'since' && field !== 'until') return undefined;
  if (!isTime(value)) return { message: `${name}: ${TIME_RULE}.` };
  const given = filter[field];
  return given === undefined || given === value ? undefined : { message: `${name}: is given twice. ${name}:${given} applies.` };
}

/**
 * Finds the problem of an exclusion. The GraphQL filter cannot exclude values. For a type, the request lists all other types
 * instead, so only a known type can be excluded.
 */
function findProblemOfExclusion({ raw, value }: FilterToken, field: ListField | TimeField): Finding | undefined {
  if (field !== 'types') return { message: `${raw} cannot be excluded. Only event types can, such as -type:feature-updated.` };
  return isKnownType(value) ? undefined : { message: `The event type ${value} is not known, so it cannot be excluded.` };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  project: 'default',
  type: 'feature-archived',
  by: 'ada',
  flag: 'checkout',
  env: 'production',
  since: '7d',
  until: '2026-11-01',
};

function describeUnknownKey({ raw, value, isNegative }: FilterToken, key: string): Finding {
  const known = suggestKey(key);
  if (known !== undefined && !isNegative) {
    return { message: `A filter has no key “${key}”. Did you mean “${known}”?`, suggestion: `${known}:${quote(value)}` };
  }
  const message = `A filter has no key “${key}”. Its keys are ${KEYS.join(', ')}. To search for the text, quote it.`;
  return { message, suggestion: quoteText(raw) };
}
