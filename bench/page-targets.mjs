import { least, most, ratio } from './outcome.mjs';
import { BARE, GRAPHQL, POSTGRAPHILE, REST, STOCK_APOLLO } from './page-cases.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */
/** @typedef {import('./measure-pages.mjs').PageFigures} PageFigures */
/** @typedef {'light' | 'heavy'} Rows */

const PAGE =
  'The bare server only runs two statements. The gateway also checks a token, counts the cost, writes a log line, and parses, validates and executes a GraphQL ' +
  'request. With two cores, PostgreSQL and the load generator share one core, which slows down a server that needs more of that core.';

const ROWS = /** @type {const} */ (['light', 'heavy']);
/** @type {Record<string, string>} */
const NAMES = { [GRAPHQL]: 'GraphQL', [REST]: 'REST', [BARE]: 'the bare server', [POSTGRAPHILE]: POSTGRAPHILE };

/** @type {(pages: PageFigures[]) => Outcome[]} */
export function comparePages(pages) {
  const find = (/** @type {string} */ name, /** @type {string} */ server) =>
    pages.find((page) => page.name === name)?.load.find((one) => one.name === server);
  /** Compares requests per second. @type {(what: string, page: string, server: string, other: string, target: number) => Outcome} */
  const perSecond = (what, page, server, other, target) =>
    least(what, ratio(find(page, server)?.requestsPerSecond, find(page, other)?.requestsPerSecond), target, PAGE);

  /** @type {(what: string, toPage: (rows: Rows) => string, other: string, targets: Partial<Record<string, Record<Rows, number>>>) => Outcome[]} */
  const ratios = (what, toPage, other, targets) =>
    Object.entries(targets).flatMap(([server, target]) =>
      ROWS.map((rows) =>
        perSecond(
          `${what}, ${rows} rows, ${NAMES[server]} beside ${NAMES[other]}`,
          toPage(rows),
          server,
          other,
          target?.[rows] ?? 0,
        ),
      ),
    );
  const first = (/** @type {Rows} */ rows) => `50, all fields, ${rows}, first reads`;
  const again = (/** @type {Rows} */ rows) => `50, all fields, ${rows}, asked again`;
  const both = (/** @type {number} */ light, heavy = light) => ({ light, heavy });
  return [
    ...ratios('50 events', first, POSTGRAPHILE, { [GRAPHQL]: both(1.1, 1.3), [REST]: both(1.3, 1.5) }),
    ...ratios('50 events', first, BARE, { [GRAPHQL]: both(0.5, 0.8), [REST]: both(0.6, 0.9) }),
    ...ratios('1,000 events', (rows) => `1000, all fields, ${rows}, first reads`, BARE, {
      [GRAPHQL]: both(1.1),
      [REST]: both(1.1),
    }),
    ...ratios('1 event', (rows) => `1, all fields, ${rows}, first reads`, BARE, { [REST]: both(0.6) }),
    ...ROWS.map((rows) => {
      const three = find(`50, three fields, ${rows}, first reads`, GRAPHQL)?.serverCpuMs;
      const all = find(first(rows), GRAPHQL)?.serverCpuMs;
      return most(
        `three fields of 50 events, ${rows} rows, GraphQL beside all fields, CPU of the gateway`,
        ratio(three, all),
        0.6,
        '',
        PAGE,
      );
    }),
    ...ratios('50 events asked again', again, BARE, { [GRAPHQL]: both(1.5, 2), [REST]: both(1.5, 2) }),
    ...eachWay('50 events asked again', (what, rows, server) =>
      most(`${what}, CPU of PostgreSQL per request`, find(again(rows), server)?.databaseCpuMs ?? undefined, 0.1, ' ms', PAGE, 2),
    ),
    ...ratios('50 events asked again, an event a second, 50 clients', (rows) => `${again(rows)}, an event a second`, BARE, {
      [GRAPHQL]: both(1.3),
      [REST]: both(1.3),
    }),
    ...eachWay('50 events', (what, rows, server) => {
      const value = ratio(find(first(rows), server)?.databaseCpuMs, find(first(rows), BARE)?.databaseCpuMs);
      return most(`${what} beside the bare server, CPU of PostgreSQL`, value, 1, '', PAGE);
    }),
    perSecond('50 events asked again, heavy rows, REST beside stock parts', again('heavy'), REST, STOCK_APOLLO, 3),
    perSecond('50 events asked again, heavy rows, GraphQL beside stock parts', again('heavy'), GRAPHQL, STOCK_APOLLO, 3),
  ];
}

/** @type {(what: string, compare: (what: string, rows: Rows, server: string) => Outcome) => Outcome[]} */
const eachWay = (what, compare) =>
  [GRAPHQL, REST].flatMap((server) => ROWS.map((rows) => compare(`${what}, ${rows} rows, ${NAMES[server]}`, rows, server)));
