import fc from 'fast-check';
import type { ConsoleFilter } from '../../../src/web/console/filter/console-filter.js';
import { KNOWN_TYPES } from '../../../src/web/console/sentences/describe-event.js';

/** The number of inputs of a property test. `CONSOLE_RUNS` sets more. */
export const RUNS = Number(process.env['CONSOLE_RUNS'] ?? 100);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc
    .array(fc.constantFrom('"', '\\', ' ', ':', '-', 'env', 'n', '\n', '\r', '\t', '&', '+', '%', 'é', '\u2028'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);

const values = fc.uniqueArray(
  text.filter((value) => value.trim() !== ''),
  { maxLength: 3 },
);

const time = fc.oneof(
  fc.tuple(fc.nat(9999), fc.constantFrom('m', 'h', 'd', 'w')).map(([amount, unit]) => `${amount}${unit}`),
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);

const notTypes = fc.uniqueArray(fc.constantFrom<string>(...KNOWN_TYPES), { minLength: 1, maxLength: 3 });

/** A filter with any values, and with times that can be read. */
export const randomFilter: fc.Arbitrary<ConsoleFilter> = fc.record(
  {
    types: values,
    notTypes,
    projects: values,
    flags: values,
    environments: values,
    people: values,
    text,
    since: time,
    until: time,
  },
  { requiredKeys: ['types', 'projects', 'flags', 'environments', 'people', 'text'] },
);
