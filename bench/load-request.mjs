/**
 * A request of the load generator.
 * @typedef {object} LoadRequest
 * @property {string} url
 * @property {'GET' | 'POST'} method
 * @property {Record<string, string>} headers
 * @property {string} [body]
 * @property {string[]} [values] texts that replace `{value}` in the URL and the body, in turn
 */

/**
 * Puts a value into a request.
 * @param {LoadRequest} request
 * @param {string} value valid in a URL and in a JSON string
 * @returns {Omit<LoadRequest, 'values'>}
 */
export function requestWith({ url, method, headers, body }, value) {
  const put = (/** @type {string} */ text) => text.replaceAll('{value}', value);
  return { url: put(url), method, headers, ...(body !== undefined && { body: put(body) }) };
}

/** @type {(request: LoadRequest) => Omit<LoadRequest, 'values'>[]} */
export const allRequests = (request) => (request.values ? request.values.map((value) => requestWith(request, value)) : [request]);
