import { READS } from './measure-pages.mjs';
import { BARE, POSTGRAPHILE } from './page-cases.mjs';
import { renderTable } from './table.mjs';

/** @typedef {import('./measure-pages.mjs').PageFigures} PageFigures */
/** @typedef {import('./measure-load.mjs').LoadFigures} LoadFigures */

const HEAD = [
  'Page',
  'Server',
  'Requests/s',
  'Beside bare',
  'Beside PostGraphile',
  'p50 ms',
  'p95 ms',
  'Server CPU ms/request',
  'Beside bare',
  'PostgreSQL CPU ms/request',
  'Server busy, of one core',
];

/** Renders a table for each kind of rows and way of reading. @type {(pages: PageFigures[], level: string) => string} */
export function renderPages(pages, level) {
  const sections = READS.flatMap((reads) =>
    ['light', 'heavy'].map((rows) => {
      const figures = pages.filter(({ page }) => page.reads === reads && page.rows === rows);
      if (figures.length === 0) return [];
      return [
        `${level} ${reads.name[0]?.toUpperCase()}${reads.name.slice(1)}, ${rows} rows`,
        renderTable(HEAD, figures.flatMap(rowsOf)),
      ];
    }),
  );
  return sections.flat().join('\n\n');
}

/** @type {(plans: import('./measure-plans.mjs').PlanFigures[]) => string} */
export const renderPlans = (plans) =>
  renderTable(
    ['Events', 'Flags', 'Statements', 'Plans'],
    plans.map(({ events, kind, calls, plans: planned }) => [events.toLocaleString('en'), kind, String(calls), String(planned)]),
  );

/** @type {(figures: PageFigures) => string[][]} */
function rowsOf({ page: { limit, fields }, bytes, load }) {
  const find = (/** @type {string} */ name) => load.find((one) => one.name === name);
  const [bare, postgraphile] = [find(BARE), find(POSTGRAPHILE)];
  return load.map((one) => [
    `${limit.toLocaleString('en')}, ${fields}, ${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`,
    one.name,
    Math.round(one.requestsPerSecond).toLocaleString('en'),
    ratio(one.requestsPerSecond, bare?.requestsPerSecond),
    ratio(one.requestsPerSecond, postgraphile?.requestsPerSecond),
    one.p50Ms.toFixed(1),
    one.p95Ms.toFixed(1),
    one.serverCpuMs?.toFixed(2) ?? UNKNOWN,
    ratio(one.serverCpuMs, bare?.serverCpuMs),
    one.databaseCpuMs?.toFixed(2) ?? UNKNOWN,
    one.serverCpuMs === null ? UNKNOWN : `${((one.serverCpuMs * one.requestsPerSecond) / 10).toFixed(0)} %`,
  ]);
}

/** Stands for a figure that the system does not report. */
const UNKNOWN = '–';

/** @type {(value: number | null, base: number | null | undefined) => string} */
const ratio = (value, base) => (value === null || !base ? UNKNOWN : (value / base).toFixed(2));
