import { least, most, ratio } from './outcome.mjs';
import { BARE, GRAPHQL, POSTGRAPHILE, REST, STOCK_APOLLO } from './page-cases.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */
/** @typedef {import('./measure-pages.mjs').PageFigures} PageFigures */
/** @typedef {'light' | 'heavy'} Rows */

const PAGE =
  'The bare server only runs two statements. The gateway also checks a token, counts the cost, writes a log line, and parses, validates and executes a GraphQL ' +
  'request. With two cores, PostgreSQL and the load generator share one core, which slows down a server that needs more of that core.';

/** @type {Record<string, string>} */
const NAMES = {
  [GRAPHQL]: 'GraphQL',
  [REST]: 'REST',
  [BARE]: 'the bare server',
  [POSTGRAPHILE]: POSTGRAPHILE,
  [STOCK_APOLLO]: 'stock parts',
};

const first = (/** @type {Rows} */ rows) => `50, all fields, ${rows}, first reads`;
const again = (/** @type {Rows} */ rows) => `50, all fields, ${rows}, asked again`;

/** @type {(pages: PageFigures[]) => Outcome[]} */
export function comparePages(pages) {
  const find = (/** @type {string} */ name, /** @type {string} */ server) =>
    pages.find((page) => page.name === name)?.load.find((one) => one.name === server);
  /** Compares requests per second. @type {(what: string, toPage: (rows: Rows) => string, other: string, targets: Record<string, number[]>) => Outcome[]} */
  const ratios = (what, toPage, other, targets) =>
    Object.entries(targets).map(([server, [light = 0, heavy = light]]) =>
      forBoth((rows) => {
        const page = toPage(rows);
        const value = ratio(find(page, server)?.requestsPerSecond, find(page, other)?.requestsPerSecond);
        return least(`${what}, ${NAMES[server]} beside ${NAMES[other]}`, value, rows === 'light' ? light : heavy, PAGE);
      }),
    );
  /** @type {(toOutcome: (server: string, rows: Rows) => Outcome) => Outcome[]} */
  const forEach = (toOutcome) => [GRAPHQL, REST].map((server) => forBoth((rows) => toOutcome(server, rows)));
  return [
    ...ratios('50 events', first, POSTGRAPHILE, { [GRAPHQL]: [1.1, 1.3], [REST]: [1.3, 1.5] }),
    ...ratios('50 events', first, BARE, { [GRAPHQL]: [0.5, 0.8], [REST]: [0.6, 0.9] }),
    ...ratios('1,000 events', (rows) => `1000, all fields, ${rows}, first reads`, BARE, { [GRAPHQL]: [1.1], [REST]: [1.1] }),
    ...ratios('1 event', (rows) => `1, all fields, ${rows}, first reads`, BARE, { [REST]: [0.6] }),
    forBoth((rows) => {
      const three = find(`50, three fields, ${rows}, first reads`, GRAPHQL)?.serverCpuMs;
      const value = ratio(three, find(first(rows), GRAPHQL)?.serverCpuMs);
      return most('50 events, GraphQL, three fields beside all fields, CPU of the gateway', value, 0.6, '', PAGE);
    }),
    ...forEach((server, rows) => {
      const value = ratio(find(first(rows), server)?.databaseCpuMs, find(first(rows), BARE)?.databaseCpuMs);
      return most(`50 events, ${NAMES[server]} beside the bare server, CPU of PostgreSQL`, value, 1, '', PAGE);
    }),
    ...ratios('50 events asked again', again, BARE, { [GRAPHQL]: [1.5, 2], [REST]: [1.5, 2] }),
    ...forEach((server, rows) => {
      const value = find(again(rows), server)?.databaseCpuMs ?? undefined;
      return most(`50 events asked again, ${NAMES[server]}, CPU of PostgreSQL per request`, value, 0.1, ' ms', PAGE, 2);
    }),
    ...ratios('50 events asked again, an event a second, 50 clients', (rows) => `${again(rows)}, an event a second`, BARE, {
      [GRAPHQL]: [1.3],
      [REST]: [1.3],
    }),
    ...[GRAPHQL, REST].map((server) => {
      const value = ratio(find(again('heavy'), server)?.requestsPerSecond, find(again('heavy'), STOCK_APOLLO)?.requestsPerSecond);
      return least(`50 events asked again, heavy rows, ${NAMES[server]} beside ${NAMES[STOCK_APOLLO]}`, value, 3, PAGE);
    }),
  ];
}

/** Joins the outcomes for light and for heavy rows. @type {(toOutcome: (rows: Rows) => Outcome) => Outcome} */
function forBoth(toOutcome) {
  const [light, heavy] = [toOutcome('light'), toOutcome('heavy')];
  const isKnown = light.isReached !== null && heavy.isReached !== null;
  return {
    ...light,
    target: light.target === heavy.target ? light.target : `${light.target} light, ${heavy.target} heavy`,
    seen: isKnown ? `${light.seen} light, ${heavy.seen} heavy` : 'not measured',
    isReached: isKnown ? light.isReached && heavy.isReached : null,
  };
}
