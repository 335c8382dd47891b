import { parseArgs } from 'node:util';
import { selectCases } from './measure-pages.mjs';

/**
 * @typedef {object} Options
 * @property {number} events number of events in the log
 * @property {number} seconds time under load of each case in each round
 * @property {number} rounds number of turns of each case
 * @property {number} connections number of concurrent requests
 * @property {boolean} large whether to measure a log of ten million events too
 * @property {number} seed chooses the places at which exports break
 * @property {Only} [only] the only measurement, which is printed and not written to the report
 * @property {string} [cases] parts of the names of the cases to measure, separated by commas
 * @property {string} [servers] text in the names of the servers to measure
 */

/** @typedef {'pages' | 'plans' | 'exports' | 'counts' | 'changes' | 'console' | 'streams'} Only */

/** @type {Only[]} */
const MEASUREMENTS = ['pages', 'plans', 'exports', 'counts', 'changes', 'console', 'streams'];

const USAGE = `Usage: npm run bench -- [--events N] [--seconds N] [--rounds N] [--connections N] [--large]
       npm run bench -- --only pages [--cases NAME] [--servers TEXT] [other options]
       npm run bench -- --only plans|exports|counts|console [--events N] [--seed N]
       npm run bench -- --only changes
       npm run bench -- --only streams [--events N] [--seconds N] [--rounds N] [--connections N]

  --events N       size of the event log, at least 1000 (default 100000)
  --seconds N      time under load of each case in each round (default 3)
  --rounds N       number of turns of each case (default 5)
  --connections N  concurrent requests (default 10)
  --large          also measure a log of ten million events, which takes 18 GB
  --seed N         chooses the places at which exports break (default 1)

  --only pages     measure pages of events, print their tables and write no report
  --only plans     count the plans of PostgreSQL for pages of events, and write no report
  --only exports   export the log, also over connections that break, and import it again
  --only counts    count events by time and group, and compare with naive counts
  --only changes   compare long states of events (needs no log)
  --only console   measure the console in Chromium: its first rows, and scrolling through 100000 events. Writes no report
  --only streams   measure the streams of the feed, and write no report
  --cases NAME     only cases with these parts in their name, such as "50, all fields, light"
  --servers TEXT   only servers with this text in their name, such as "gateway"
`;

/** @returns {Options | null} null if the usage was printed instead */
export function parseOptions() {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '10' },
      large: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      cases: { type: 'string' },
      servers: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  const { cases, servers } = values;
  const only = MEASUREMENTS.find((name) => name === values.only);
  if (only !== values.only) throw new Error(`--only must be one of ${MEASUREMENTS.join(', ')}.\n\n${USAGE}`);
  if (only !== 'pages' && (cases ?? servers) !== undefined)
    throw new Error(`--cases and --servers need --only pages.\n\n${USAGE}`);
  if (selectCases(cases).length === 0) throw new Error(`No case is named "${cases}".`);
  return {
    events: wholeNumber('events', values.events, 1000, 10_000_000, USAGE),
    seconds: wholeNumber('seconds', values.seconds, 1, 600, USAGE),
    rounds: wholeNumber('rounds', values.rounds, 1, 100, USAGE),
    connections: wholeNumber('connections', values.connections, 1, 1000, USAGE),
    large: values.large,
    seed: wholeNumber('seed', values.seed, 0, 999_999_999, USAGE),
    ...(only !== undefined && { only }),
    ...(cases !== undefined && { cases }),
    ...(servers !== undefined && { servers }),
  };
}

/** Parses the value of an option. @type {(name: string, text: string, least: number, most: number, usage: string) => number} */
export function wholeNumber(name, text, least, most, usage) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new Error(`--${name} must be a whole number from ${least} to ${most}.\n\n${usage}`);
  }
  return value;
}
