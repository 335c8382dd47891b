import { describe, expect, test } from '@jest/globals';
import { generateSampleLog, type SampleEvent } from '../../src/demo/sample-log.js';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import { parseEventLine } from '../../src/log-copy/event-line.js';

/** The types of spec 2.2, without those of later Unleash versions. */
const DOCUMENTED_TYPES: readonly string[] = EVENT_TYPES.slice(0, EVENT_TYPES.indexOf('feature-link-added'));

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first minutes of a Monday, and the afternoon of a leap day. */
const STARTS = ['2026-11-23T00:05:00Z', '2028-02-29T16:20:00Z'];

describe.each(STARTS)('the sample log of a demo that first starts at %s', (start) => {
  const now = new Date(start);
  const log = generateSampleLog(now);
  const ofType = (...types: string[]) => log.filter(({ type }) => types.includes(type));
  const distinct = (value: (event: SampleEvent) => unknown) => new Set(log.map(value)).size;

  test('the same start and seed → the same events; another seed → other events', () => {
    expect(generateSampleLog(now)).toEqual(log);
    expect(generateSampleLog(now, 7)).not.toEqual(log);
  });

  test('each event → valid for an import, of a type that the API documents', () => {
    expect(log.filter((event) => 'problem' in parseEventLine(JSON.stringify(event)))).toEqual([]);
    expect(log.filter(({ type }) => !DOCUMENTED_TYPES.includes(type))).toEqual([]);
    const texts = new Set(log.flatMap(({ tags }) => tags.flatMap(({ type, value }) => [type, value])));
    expect([...texts].filter((text) => text.length < 2 || text.length > 50)).toEqual([]);
  });

  test('some 2,000 events in the 90 days before the start, in the order of their ids', () => {
    expect(log.length).toBeGreaterThan(1_900);
    expect(log.length).toBeLessThan(2_100);
    expect(log.map(({ id }) => id)).toEqual(log.map((_, index) => index + 1));
    const times = log.map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBeGreaterThan(now.getTime() - 90 * DAY_MS);
    expect(times[0]).toBeLessThan(now.getTime() - 88 * DAY_MS);
    expect(times.at(-1)).toBeLessThanOrEqual(now.getTime());
    expect(times.at(-1)).toBeGreaterThan(now.getTime() - DAY_MS / 24);
  });

  test('several flags, people, projects, environments and many types', () => {
    expect(distinct(({ featureName }) => featureName)).toBeGreaterThan(30);
    expect(distinct(({ createdBy }) => createdBy)).toBeGreaterThan(10);
    expect(distinct(({ project }) => project)).toBeGreaterThan(5);
    expect(distinct(({ environment }) => environment)).toBe(4);
    expect(distinct(({ type }) => type)).toBeGreaterThan(45);
    expect(log.some(({ tags }) => tags.length > 1)).toBe(true);
    expect(ofType('feature-archived').length).toBeGreaterThan(5);
  });

  test('checkout → switched off in production by one person, five to seven days before the start', () => {
    expect(log.findLast(({ featureName }) => featureName === 'checkout')?.type).toBe('feature-environment-disabled');
    const inProduction = log.filter(({ featureName, environment }) => featureName === 'checkout' && environment === 'production');
    const last = inProduction.at(-1);
    expect(last).toMatchObject({ type: 'feature-environment-disabled', createdBy: 'maya.okafor@example.com' });
    expect(inProduction.filter(({ type }) => type === 'feature-environment-disabled')).toEqual([last]);
    const age = now.getTime() - Date.parse(last?.createdAt ?? '');
    expect(age).toBeGreaterThan(5 * DAY_MS);
    expect(age).toBeLessThan(7 * DAY_MS);
  });

  test('each flag → created first; a strategy changes from what it was; no change after the archive', () => {
    for (const flag of new Set(log.flatMap(({ featureName }) => featureName ?? []))) {
      const events = log.filter(({ featureName }) => featureName === flag);
      expect(events[0]?.type).toBe('feature-created');
      const strategies = new Map<unknown, unknown>();
      const enabled = new Set<unknown>();
      for (const { type, environment, data, preData } of events) {
        if (type.startsWith('feature-strategy-')) {
          expect(preData).toEqual(strategies.get(environment) ?? null);
          expect(preData).not.toEqual(data);
          strategies.set(environment, data);
        }
        if (type === 'feature-environment-enabled') {
          expect(enabled.has(environment)).toBe(false);
          enabled.add(environment);
        }
        if (type === 'feature-environment-disabled') expect(enabled.delete(environment)).toBe(true);
      }
      const afterArchive = events.slice(events.findIndex(({ type }) => type === 'feature-archived') + 1 || events.length);
      for (const { type } of afterArchive) expect(['feature-revived', 'feature-deleted']).toContain(type);
    }
  });
});
