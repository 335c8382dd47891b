import { get, TOKENS } from '../request.mjs';
import { send } from '../send.mjs';

/** Number of tokens to read, those with the most users first. */
const MOST = 25;

/** @type {(known: import('../checks.mjs').Known) => Promise<import('../request.mjs').Request[]>} */
export async function tokens({ peer }) {
  const { body } = await send(peer, get(TOKENS));
  /** @type {{secret: string, users: unknown[]}[]} */
  const listed = body.tokens;
  const paths = listed
    .sort((a, b) => b.users.length - a.users.length)
    .slice(0, MOST)
    .map(({ secret }) => `${TOKENS}/${secret}`);
  return [...paths.map((path) => get(path)), ...paths.slice(0, 1).map((path) => ({ method: 'HEAD', path }))];
}
