import { z } from 'zod';
import type { EventRow } from '../events/event.js';
import { MAX_INT } from '../formats/integer.js';
import { findRawValues, isNestedDeeper, type RawValue } from '../formats/raw-json.js';
import { toStoredTime, toWireTime, WIRE_TIME_RULE } from '../formats/stored-time.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';

/** The highest id that an imported event may have. It leaves a million ids for the events that the gateway adds itself. */
const MAX_ID = MAX_INT - 1_000_000;

const EXAMPLE = '{"id":1,"createdAt":"2026-01-02T03:04:05.678Z","type":"feature-created","createdBy":"ada"}';

/** The problem that is reported for an event that is not a JSON object. */
export const MUST_BE_OBJECT = `must be a JSON object such as ${EXAMPLE}`;

const text = z.string('must be a text').refine(isStorableText, TEXT_RULE);
const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
};

/** The infinite times of PostgreSQL by their wire form. */
const INFINITE: ReadonlyMap<string | null, string> = new Map(['-infinity', 'infinity'].map((time) => [toWireTime(time), time]));

/**
 * The event of spec 2.1, without its payloads. Unknown fields, such as those of newer versions of Unleash, are ignored. Empty
 * texts and tags of any form are accepted: a database can hold them, and its export must be importable.
 */
const wireEvent = z.object(
  {
    id: wholeNumber(1, MAX_ID),
    createdAt: z.string(WIRE_TIME_RULE).transform((value, context) => {
      const stored = INFINITE.get(value) ?? toStoredTime(value);
      if (stored !== null) return stored;
      context.addIssue(WIRE_TIME_RULE);
      return z.NEVER;
    }),
    type: text,
    createdBy: text,
    createdByUserId: wholeNumber(-MAX_INT - 1, MAX_INT).nullish(),
    environment: text.nullish(),
    project: text.nullish(),
    featureName: text.nullish(),
    tags: z.array(z.unknown(), 'must be a list').nullish(),
  },
  MUST_BE_OBJECT,
);

/** The deepest nesting that is accepted, far more than an event needs. JSON of 10,000 levels aborts the embedded database. */
const MAX_LEVELS = 1000;

/** The fields that make up most of a line. They are cut out unparsed, because the database parses them. */
const PAYLOADS: ReadonlySet<string> = new Set(['data', 'preData']);

/**
 * Parses the text of one event in its wire form, from an import or from Unleash.
 * @returns the event, with payloads that may be invalid JSON, or the problems of the text, field by field
 */
export function parseEventLine(line: string): EventRow | { readonly problem: string } {
  if (isNestedDeeper(line, MAX_LEVELS)) return { problem: `is nested more than ${MAX_LEVELS} levels deep` };
  const values = findRawValues(line) ?? [];
  let json: unknown;
  try {
    json = JSON.parse(withoutPayloads(line, values));
  } catch {
    return { problem: `is not valid JSON. Expected an object such as ${EXAMPLE}` };
  }
  const parsed = wireEvent.safeParse(json);
  if (!parsed.success) {
    return {
      problem: parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' ')).join('; '),
    };
  }
  const { id, createdAt, type, createdBy, createdByUserId, environment, project, featureName } = parsed.data;
  return {
    id,
    createdAt,
    type,
    createdBy,
    createdByUserId: createdByUserId ?? null,
    environment: environment ?? null,
    project: project ?? null,
    featureName: featureName ?? null,
    data: readRaw(line, values, 'data'),
    preData: readRaw(line, values, 'preData'),
    tags: readRaw(line, values, 'tags'),
  };
}

/** Replaces the payloads by null. If a key is repeated, replaces only its last value, because JSON.parse keeps that value. */
function withoutPayloads(line: string, values: readonly RawValue[]): string {
  let rest = '';
  let position = 0;
  for (const value of values) {
    if (!PAYLOADS.has(value.key) || value !== findValue(values, value.key)) continue;
    rest += `${line.slice(position, value.start)}null`;
    position = value.end;
  }
  return rest + line.slice(position);
}

function readRaw(line: string, values: readonly RawValue[], key: string): string | null {
  const value = findValue(values, key);
  const raw = value ? line.slice(value.start, value.end) : 'null';
  return raw === 'null' ? null : raw;
}

function findValue(values: readonly RawValue[], key: string): RawValue | undefined {
  return values.findLast((value) => value.key === key);
}
