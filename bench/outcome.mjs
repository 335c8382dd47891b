import { renderTable } from './table.mjs';

/** @typedef {{what: string, target: string, seen: string, isReached: boolean | null, bound: string}} Outcome isReached: null without a measurement */

/**
 * Compares a ratio or a number with the least value that is good enough.
 * @type {(what: string, value: number, target: number, bound: string) => Outcome} bound: why it is not reached, if it is not
 */
export const least = (what, value, target, bound) =>
  outcome(what, value, `at least ${target}`, (figure) => figure >= target, 2, '', bound);

/** @type {(what: string, value: number | undefined, target: number, unit: string, bound: string, digits?: number) => Outcome} */
export const most = (what, value, target, unit, bound, digits = unit === '' ? 2 : 0) =>
  outcome(what, value, `at most ${target}${unit}`, (figure) => figure <= target, digits, unit, bound);

/** @type {(what: string, value: number | undefined, target: string, reaches: (figure: number) => boolean, digits: number, unit: string, bound: string) => Outcome} */
function outcome(what, value, target, reaches, digits, unit, bound) {
  if (value === undefined || Number.isNaN(value)) return { what, target, seen: 'not measured', isReached: null, bound };
  const rounded = Number(value.toFixed(value >= 100 ? 0 : digits === 0 ? 1 : digits));
  // A figure that is rounded to its target would contradict the column "Reached".
  const figure = reaches(rounded) === reaches(value) ? rounded : value;
  const seen = `${figure.toLocaleString('en', { maximumFractionDigits: 10 })}${unit}`;
  return { what, target, seen, isReached: reaches(value), bound };
}

/** Returns NaN if a value is not known. @type {(value: number | null | undefined, base: number | null | undefined) => number} */
export function ratio(value, base) {
  return value === null || value === undefined || !base ? Number.NaN : value / base;
}

/** Stands for a figure that the system does not report. */
export const UNKNOWN = '–';

/** Renders the comparison with the targets as a table. @type {(outcomes: Outcome[]) => string} */
export function renderOutcomes(outcomes) {
  const rows = outcomes.map(({ what, target, seen, isReached }) => [
    what,
    target,
    seen,
    isReached === null ? UNKNOWN : isReached ? 'yes' : 'no',
  ]);
  return renderTable(['', 'Target', 'Measured', 'Reached'], rows);
}
