import { parseArgs } from 'node:util';

/** @typedef {import('./request.mjs').Role} Role */
/** @typedef {{url: string, tokens: Partial<Record<Role, string>>}} Side url: without a slash at the end; tokens: for `session`, a cookie */
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
  --peer-session-cookie C a viewer's cookie of the UI of that server, as name=value; with --session-cookie, compares what sessions get
  --session-cookie C      the same cookie, which a gateway beside that server knows
  --read-only             creates no signup tokens; without it, some seventy, disabled at the end

With UNLEASH_URL, the gateway knows the tokens and the sessions of the server. Without it, it has tokens of its own, and neither client tokens
nor sessions.
`;

/**
 * The options of the roles that are only compared if their tokens are given. For the peer, their names begin with `peer-`.
 */
export const OPTIONAL_ROLES = /** @type {const} */ ({
  viewer: 'viewer-token',
  client: 'client-token',
  session: 'session-cookie',
});

const text = /** @type {const} */ ({ type: 'string' });

/** @returns {Options | null} null if the usage was printed instead */
export function parseOptions() {
  const { values } = parseArgs({
    options: {
      peer: text,
      'peer-token': text,
      'peer-viewer-token': text,
      'peer-client-token': text,
      'peer-session-cookie': text,
      gateway: text,
      token: text,
      'viewer-token': text,
      'client-token': text,
      'session-cookie': text,
      'read-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  for (const name of Object.values(OPTIONAL_ROLES)) {
    if ((values[`peer-${name}`] === undefined) !== (values[name] === undefined))
      throw misuse(`--peer-${name} and --${name} belong together.`);
  }
  return {
    peer: {
      url: baseUrl('peer', values.peer),
      tokens: {
        admin: given('peer-token', values['peer-token']),
        viewer: values['peer-viewer-token'],
        client: values['peer-client-token'],
        session: values['peer-session-cookie'],
      },
    },
    gateway: {
      url: baseUrl('gateway', values.gateway),
      tokens: {
        admin: given('token', values.token),
        viewer: values['viewer-token'],
        client: values['client-token'],
        session: values['session-cookie'],
      },
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
