import { parseArgs } from 'node:util';

/**
 * @typedef {object} Side
 * @property {string} url without a slash at the end
 * @property {string} token
 */
/** @typedef {{peer: Side, gateway: Side, create: boolean}} Options */

const USAGE = `Usage: npm run conformance -- --peer URL --peer-token T --gateway URL --token T [--read-only]

  --peer URL        an Unleash server
  --peer-token T    an administrator's token of that server
  --gateway URL     this gateway, on the log of that server
  --token T         an administrator's token of the gateway
  --read-only       creates no signup tokens; without it, a dozen on each server, disabled at the end
`;

/** @returns {Options | null} null if the usage was printed instead */
export function parseOptions() {
  const { values } = parseArgs({
    options: {
      peer: { type: 'string' },
      'peer-token': { type: 'string' },
      gateway: { type: 'string' },
      token: { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  return {
    peer: { url: baseUrl('peer', values.peer), token: given('peer-token', values['peer-token']) },
    gateway: { url: baseUrl('gateway', values.gateway), token: given('token', values.token) },
    create: !values['read-only'],
  };
}

/** @type {(name: string, value: string | undefined) => string} */
function given(name, value) {
  if (!value) throw new Error(`--${name} is needed.\n\n${USAGE}`);
  return value;
}

/** @type {(name: string, value: string | undefined) => string} */
function baseUrl(name, value) {
  const url = given(name, value).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error(`--${name} must be an http or https URL.\n\n${USAGE}`);
  return url;
}
