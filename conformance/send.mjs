import http from 'node:http';
import https from 'node:https';

/** @typedef {import('./request.mjs').Request} Request */
/** @typedef {{status: number, headers: http.IncomingHttpHeaders, text: string, body: any}} Answer body: undefined if it is not JSON */

const TIMEOUT_MS = 30_000;

/**
 * @param {import('./options.mjs').Side} side
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export function send(side, { method, path, headers = {}, body, role = 'admin' }) {
  const { protocol, hostname, port, pathname } = new URL(side.url);
  const options = {
    hostname,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    headers: {
      ...credentialsOf(side, role),
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    timeout: TIMEOUT_MS,
  };
  return new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? https : http).request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) }));
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`${side.url} did not respond to ${method} ${path} within ${TIMEOUT_MS / 1000} s`)),
    );
    sent.on('error', (error) => reject(new Error(`${side.url} is unavailable: ${error.message}`)));
    sent.end(body);
  });
}

/**
 * Returns the headers that tell the server who calls.
 * @type {(side: import('./options.mjs').Side, role: import('./request.mjs').Role) => Record<string, string>}
 */
function credentialsOf({ tokens }, role) {
  if (role === 'none') return {};
  if (role === 'unknown') return { authorization: '*:*.nobody-has-this-token' };
  const token = tokens[role];
  if (token === undefined) throw new Error(`No token of the role ${role} was given.`);
  return role === 'session' ? { cookie: token, 'sec-fetch-site': 'same-origin' } : { authorization: token };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
