import http from 'node:http';
import https from 'node:https';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path sent as it is, without normalization
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {'none' | 'unknown'} [token] replaces the token of the side
 */
/** @typedef {{status: number, headers: http.IncomingHttpHeaders, text: string, body: any}} Answer body: undefined if it is not JSON */

const TIMEOUT_MS = 30_000;

/**
 * @param {import('./options.mjs').Side} side
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export function send({ url, token }, { method, path, headers = {}, body, token: other }) {
  const { protocol, hostname, port, pathname } = new URL(url);
  const authorization = other === 'none' ? {} : { authorization: other === 'unknown' ? '*:*.nobody-has-this-token' : token };
  const options = {
    hostname,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    headers: { ...authorization, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
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
      sent.destroy(new Error(`${url} did not respond to ${method} ${path} within ${TIMEOUT_MS / 1000} s`)),
    );
    sent.on('error', (error) => reject(new Error(`${url} is unavailable: ${error.message}`)));
    sent.end(body);
  });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
