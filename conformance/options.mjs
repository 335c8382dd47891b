import { parseArgs } from 'node:util';

/** @typedef {import('./request.mjs').Role} Role */
/** @typedef {{url: string, tokens: Partial<Record<Role, string>>}} Side url: without a slash at the end */
/** @typedef {{peer: Side, gateway: Side}} Sides */
/** @typedef {Sides & {create: boolean}} Options */

const USAGE = `Usage: npm run conformance -- --peer URL --peer-token T --gateway URL --token T [options]

  --peer URL              an Unleash server
  --peer-token T          an administrator's token of that server
  --gateway URL           this gateway, on the log of that server
  --token T               an administrator's token of the gateway
  --peer-viewer-token T   a viewer's token of that server; with --viewer-token, compares what viewers get
  --viewer-token T        a viewer's token of the gateway, without a limit to projects
  --peer-client-token T   a client token of that server; with --client-token, compares how the servers refuse it
  --client-token T        the same token, which a gateway beside that server knows
  --read-only             creates no signup tokens; without it, some seventy, disabled at the end

With UNLEASH_URL, the gateway knows the tokens of the server. Without it, it has tokens of its own, and no client tokens.
`;

/** Roles that are only compared if their tokens are given. */
export const OPTIONAL_ROLES = /** @type {const} */ (['viewer', 'client']);

const text = /** @type {const} */ ({ type: 'string' });

/** @returns {Options | null} null if the usage was printed instead */
export function parseOptions() {
  const { values } = parseArgs({
    options: {
      peer: text,
      'peer-token': text,
      'peer-viewer-token': text,
      'peer-client-token': text,
      gateway: text,
      token: text,
      'viewer-token': text,
      'client-token': text,
      'read-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  for (const role of OPTIONAL_ROLES) {
    const [one, other] = /** @type {const} */ ([`peer-${role}-token`, `${role}-token`]);
    if ((values[one] === undefined) !== (values[other] === undefined)) throw misuse(`--${one} and --${other} belong together.`);
  }
  return {
    peer: {
      url: baseUrl('peer', values.peer),
      tokens: {
        admin: given('peer-token', values['peer-token']),
        viewer: values['peer-viewer-token'],
        client: values['peer-client-token'],
      },
    },
    gateway: {
      url: baseUrl('gateway', values.gateway),
      tokens: { admin: given('token', values.token), viewer: values['viewer-token'], client: values['client-token'] },
    },
    create: !values['read-only'],
  };
}

/** @param {string} message */
function misuse(message) {
  return new Error(`${message}\n\n${USAGE}`);
}

/** @type {(name: string, value: string | undefined) => string} */
function given(name, value) {
  if (!value) throw misuse(`--${name} is needed.`);
  return value;
}

/** @type {(name: string, value: string | undefined) => string} */
function baseUrl(name, value) {
  const url = given(name, value).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw misuse(`--${name} must be an http or https URL.`);
  return url;
}
