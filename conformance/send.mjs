import http from 'node:http';
import https from 'node:https';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path as it is sent: nothing of it is normalized
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {'none' | 'unknown'} [token] another one than the side's own
 */
/** @typedef {{status: number, headers: http.IncomingHttpHeaders, text: string, body: any}} Answer body: undefined where it is no JSON */

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
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer ${method} ${path} in ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', (error) => reject(new Error(`${url} cannot be asked: ${error.message}`)));
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
