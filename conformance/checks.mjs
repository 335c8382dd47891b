import { clients, sessions, strangers, viewers } from './checks/callers.mjs';
import { bodies, dates, fields } from './checks/creations.mjs';
import { methods } from './checks/methods.mjs';
import { combinations, filters, flags, newerFilters, pages } from './checks/reads.mjs';
import { days, longLists, malformed, otherForms, paths } from './checks/rejections.mjs';
import { tokens } from './checks/tokens.mjs';

/** @typedef {import('./request.mjs').Request} Request */
/** @typedef {{log: import('./log.mjs').Log, peer: import('./options.mjs').Side, now: Date, mayCreate: boolean}} Known what requests are made from */
/**
 * @typedef {object} Check
 * @property {string} name
 * @property {(known: Known) => Request[] | Promise<Request[]>} requests
 * @property {keyof typeof import('./options.mjs').OPTIONAL_ROLES} [role] the check needs a token of this role
 * @property {true} [creates] the check creates signup tokens
 */

/**
 * The requests that both servers get. Checks that change the log are the last ones.
 * @type {Check[]}
 */
export const CHECKS = [
  { name: 'the events of a flag', requests: flags },
  { name: 'filters', requests: filters },
  { name: 'the filters environment, id and groupId', requests: newerFilters },
  { name: 'pages', requests: pages },
  { name: 'combinations of filters', requests: combinations },
  { name: 'malformed parameters', requests: malformed },
  { name: 'parameters with brackets or in another case', requests: otherForms },
  { name: 'forms of days', requests: days },
  { name: 'long texts and lists', requests: longLists },
  { name: 'unknown paths, and other forms of a path', requests: paths },
  { name: 'HEAD, OPTIONS and other methods', requests: methods },
  { name: 'callers without a valid token', requests: strangers },
  { name: 'viewers', requests: viewers, role: 'viewer' },
  { name: 'client tokens', requests: clients, role: 'client' },
  { name: 'sessions of the UI', requests: sessions, role: 'session' },
  { name: 'existing signup tokens', requests: tokens },
  { name: 'the fields of a creation', requests: fields, creates: true },
  { name: 'forms of expiresAt', requests: dates, creates: true },
  { name: 'types, charsets and encodings of a body', requests: bodies, creates: true },
];
