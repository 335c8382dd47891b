import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {number} events number of events in the log
 * @property {number} seconds time under load of each case in each round
 * @property {number} rounds number of turns of each case
 * @property {number} connections number of concurrent requests
 * @property {boolean} large whether to measure the first page of a log of ten million events too
 */

const USAGE = `Usage: npm run bench -- [--events N] [--seconds N] [--rounds N] [--connections N] [--large]

  --events N       size of the event log, at least 1000 (default 100000)
  --seconds N      time under load of each case in each round (default 3)
  --rounds N       number of turns of each case (default 3)
  --connections N  concurrent requests (default 10)
  --large          also measure a log of ten million events, which takes 18 GB
`;

/** @returns {Options | null} null if the usage was printed instead */
export function parseOptions() {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '10' },
      large: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  return {
    events: wholeNumber('events', values.events, 1000, 10_000_000, USAGE),
    seconds: wholeNumber('seconds', values.seconds, 1, 600, USAGE),
    rounds: wholeNumber('rounds', values.rounds, 1, 100, USAGE),
    connections: wholeNumber('connections', values.connections, 1, 1000, USAGE),
    large: values.large,
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
