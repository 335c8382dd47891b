import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateSampleLog } from '../../../src/demo/sample-log.js';
import { concludeFlagState } from '../../../src/web/console/flag-state/conclude-flag-state.js';
import type { FlagEvent } from '../../../src/web/console/flag-state/flag-state.js';
import { RUNS } from './random-filter.js';

type Act = readonly [type: string, environment?: string];

/** The events of the flag `checkout`, one a day from 1 November on, in the order of the API. */
const history = (...acts: readonly Act[]): FlagEvent[] =>
  acts
    .map(([type, environment], index) => ({
      id: index + 1,
      typeName: `feature-${type}`,
      createdAt: new Date(Date.UTC(2026, 10, index + 1, 8)).toISOString(),
      createdBy: index % 2 === 0 ? 'Ada' : 'Bob',
      featureName: 'checkout',
      environment: environment ?? null,
    }))
    .reverse();

const conclude = (...acts: readonly Act[]) => concludeFlagState(history(...acts), { timeZone: 'UTC' });

const ON = 'environment-enabled';
const OFF = 'environment-disabled';

describe('state of a flag', () => {
  test.each<readonly [string, readonly Act[], string, readonly number[]]>([
    [
      'created, on and off',
      [['created'], [ON, 'dev'], [ON, 'prod'], [OFF, 'dev'], [ON, 'stage'], ['metadata-updated']],
      'checkout was created by Ada on 1 Nov 2026, is on in prod and stage, is off in dev, and was last switched on in stage by Ada on 5 Nov 2026.',
      [1, 3, 4, 5],
    ],
    [
      'created only',
      [['created'], ['tagged']],
      'checkout was created by Ada on 1 Nov 2026, and has not been enabled in any environment.',
      [1],
    ],
    [
      'stale',
      [['created'], [ON, 'dev'], ['stale-on']],
      'checkout was created by Ada on 1 Nov 2026, is on in dev, was last switched on in dev by Bob on 2 Nov 2026, and has been stale since 3 Nov 2026.',
      [1, 2, 3],
    ],
    [
      'no longer stale',
      [['created'], [ON, 'dev'], ['stale-on'], ['stale-off']],
      'checkout was created by Ada on 1 Nov 2026, is on in dev, and was last switched on in dev by Bob on 2 Nov 2026.',
      [1, 2],
    ],
    [
      'archived',
      [['created'], [ON, 'dev'], ['stale-on'], ['archived']],
      'checkout was created by Ada on 1 Nov 2026, and was archived by Bob on 4 Nov 2026.',
      [1, 4],
    ],
    [
      'deleted from the archive',
      [['created'], ['archived'], ['deleted']],
      'checkout was created by Ada on 1 Nov 2026, and was deleted by Ada on 3 Nov 2026.',
      [1, 3],
    ],
    [
      'revived',
      [['created'], [ON, 'dev'], ['archived'], ['revived']],
      'checkout was created by Ada on 1 Nov 2026, was revived by Bob on 4 Nov 2026, and has not been enabled or disabled since then.',
      [1, 4],
    ],
    [
      'revived and enabled',
      [['created'], [ON, 'dev'], ['archived'], ['revived'], [ON, 'prod']],
      'checkout was created by Ada on 1 Nov 2026, was revived by Bob on 4 Nov 2026, is on in prod, and was last switched on in prod by Ada on 5 Nov 2026.',
      [1, 4, 5],
    ],
    [
      'created anew after its deletion',
      [['created'], [ON, 'dev'], ['stale-on'], ['deleted'], ['created']],
      'checkout was created by Ada on 5 Nov 2026, and has not been enabled in any environment.',
      [5],
    ],
    [
      'creation not in the log',
      [[ON, 'dev']],
      'As far as the log tells, checkout is on in dev, and was last switched on in dev by Ada on 1 Nov 2026.',
      [1],
    ],
    [
      'creation not in the log, archived',
      [[ON, 'dev'], ['archived']],
      'As far as the log tells, checkout was archived by Bob on 2 Nov 2026.',
      [2],
    ],
    [
      'no event that tells a state',
      [['tagged'], ['stale-off'], [ON]],
      'The log has no event that tells the state of this flag.',
      [],
    ],
    ['no event', [], 'The log has no event that tells the state of this flag.', []],
    [
      'many environments',
      [['created'], ...Array.from({ length: 8 }, (_, index): Act => [ON, `e${index}`])],
      'checkout was created by Ada on 1 Nov 2026, is on in e0, e1, e2, e3, e4, e5 and 2 more, and was last switched on in e7 by Ada on 9 Nov 2026.',
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
  ])('%s', (_name, acts, sentence, basedOn) => {
    expect(conclude(...acts)).toEqual({ sentence, basedOn });
  });

  test('any history → the events that it is based on give the same sentence', () => {
    const act = fc.tuple(
      fc.constantFrom('created', 'archived', 'revived', 'deleted', 'stale-on', 'stale-off', ON, OFF, 'tagged'),
      fc.constantFrom('dev', 'prod'),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        const events = history(...acts);
        const { sentence, basedOn } = concludeFlagState(events, { timeZone: 'UTC' });
        const evidence = events.filter(({ id }) => basedOn.includes(id));
        const again = concludeFlagState(evidence, { timeZone: 'UTC' });
        expect(again.basedOn).toEqual(basedOn);
        // The order of environments is that of their first events, which need not be among the last ones.
        expect([...again.sentence].sort()).toEqual([...sentence].sort());
      }),
      { numRuns: RUNS },
    );
  });

  test('the sample log → checkout was switched off in production', () => {
    const events = generateSampleLog(new Date('2026-11-23T08:00:00Z'))
      .filter(({ featureName }) => featureName === 'checkout')
      .map((event) => ({ ...event, typeName: event.type }))
      .reverse();
    expect(concludeFlagState(events, { timeZone: 'UTC' }).sentence).toBe(
      'checkout was created by dana.levy@example.com on 31 Aug 2026, is on in development and staging, is off in production, and was last switched off in production by maya.okafor@example.com on 17 Nov 2026.',
    );
  });
});
