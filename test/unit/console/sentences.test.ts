import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateSampleLog } from '../../../src/demo/sample-log.js';
import { EVENT_TYPES } from '../../../src/events/event-types.js';
import { describeEvent, describeEventParts, KNOWN_TYPES } from '../../../src/web/console/sentences/describe-event.js';
import type { DescribedEvent } from '../../../src/web/console/sentences/event-details.js';
import { RUNS } from './random-filter.js';
import { bareEvent, EXAMPLES, fullEvent } from './sentence-examples.js';

/** The sentences of all types, for review. `WRITE_SENTENCES=1` writes the file anew. */
const TABLE = new URL('sentences.txt', import.meta.url);

function printTable(): string {
  const lines = EVENT_TYPES.map((type) => `${type}\n  ${describeEvent(fullEvent(type))}\n  ${describeEvent(bareEvent(type))}\n`);
  return lines.join('\n');
}

const twice = (sentences: readonly string[]) => sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index);

describe('sentence of an event', () => {
  test('the types with a sentence are all known types', () => {
    expect(KNOWN_TYPES).toEqual([...EVENT_TYPES].sort());
  });

  test.each([
    ['with all details', fullEvent],
    ['without any detail', bareEvent],
  ])('each type %s → a sentence that no other type has', (_name, create) => {
    expect(twice(EVENT_TYPES.map((type) => describeEvent(create(type))))).toEqual([]);
    const unknown = EVENT_TYPES.filter((type) => describeEvent(create(type)).includes(type));
    expect(unknown).toEqual([]);
  });

  test('the sentences are those of the reviewed table', () => {
    if (process.env['WRITE_SENTENCES'] === '1') writeFileSync(TABLE, printTable());
    expect(printTable()).toBe(readFileSync(TABLE, 'utf8'));
  });

  test.each(EXAMPLES)('%s %j → %s', (typeName, fields, sentence) => {
    expect(describeEvent({ ...bareEvent(typeName), ...fields })).toBe(sentence);
  });

  test('parts → people, flags, projects and environments with their exact values', () => {
    const featureName = `${'flag-'.repeat(20)} `;
    const event = { ...fullEvent('feature-created'), featureName };
    expect(describeEventParts(event)).toEqual([
      { kind: 'person', text: 'Ada', value: 'Ada' },
      { kind: 'text', text: ' created ' },
      { kind: 'flag', text: `${featureName.slice(0, 59)}…`, value: featureName },
      { kind: 'text', text: ' in project ' },
      { kind: 'project', text: 'web-shop', value: 'web-shop' },
    ]);
  });

  test('events of the sample log and of the recorded log → sentences without a secret or a value that is no text', () => {
    const recorded = readFileSync(new URL('../../recorded/event-log.ndjson', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly createdBy: string; readonly data?: unknown });
    const events = [...generateSampleLog(new Date('2026-11-23T08:00:00Z')), ...recorded];
    const sentences = events.map((event) => describeEvent({ ...event, typeName: event.type }));
    expect(sentences.length).toBeGreaterThan(3_000);
    expect(sentences.filter((sentence) => /\b(undefined|null)\b|\[object|NaN|[ ]{2}|\n/.test(sentence))).toEqual([]);
    const secrets = recorded.flatMap(({ data }) => (data as { readonly secret?: string } | null)?.secret ?? []);
    expect(secrets.length).toBeGreaterThan(0);
    expect(sentences.filter((sentence) => secrets.some((secret) => sentence.includes(secret)))).toEqual([]);
  });

  test('any type, names and payloads → one line that begins with the creator', () => {
    const key = fc.constantFrom(
      ...[
        'name',
        'id',
        'parameters',
        'rollout',
        'features',
        'users',
        'feature',
        'type',
        'value',
        '__proto__',
        'constructor',
        'length',
      ],
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('json')), fc.dictionary(key, tie('json'))),
    }));
    const text = fc.option(fc.string({ unit: 'binary' }));
    const event: fc.Arbitrary<DescribedEvent> = fc.record({
      typeName: fc.oneof(fc.constantFrom<string>(...EVENT_TYPES, '__proto__', 'toString', ''), fc.string()),
      createdBy: fc.constantFrom('Ada', ''),
      featureName: text,
      project: text,
      environment: text,
      data: json,
      preData: json,
    });
    fc.assert(
      fc.property(event, (given) => {
        const sentence = describeEvent(given);
        expect(sentence).toMatch(/^(Ada|Somebody) [a-z][^\n]*[^ \n]$/);
        expect([...sentence].length).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  });
});
