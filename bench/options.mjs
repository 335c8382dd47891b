import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {number} events how many events the log gets
 * @property {number} seconds how long each case is under load in each round
 * @property {number} rounds how often the cases take turns
 * @property {number} connections how many requests are under way at once
 * @property {boolean} large whether a log of ten million events is asked for its first page too
 */

const USAGE = `Usage: npm run bench -- [--events N] [--seconds N] [--rounds N] [--connections N] [--large]

  --events N       size of the event log, at least 1000 (default 100000)
  --seconds N      time under load of each case in each round (default 3)
  --rounds N       how often the cases take turns (default 3)
  --connections N  requests under way at once (default 10)
  --large          also ask a log of ten million events, which takes 18 GB
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

/** The value of an option. @type {(name: string, text: string, least: number, most: number, usage: string) => number} */
export function wholeNumber(name, text, least, most, usage) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new Error(`--${name} must be a whole number from ${least} to ${most}.\n\n${usage}`);
  }
  return value;
}
