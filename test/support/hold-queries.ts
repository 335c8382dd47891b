import { jest } from '@jest/globals';
import pg from 'pg';

/**
 * Runs `work`, and keeps the queries of this process that match `pattern` from being sent until it ends. Each of them keeps its connection
 * busy meanwhile, on either database.
 * @param work gets a function that returns how many queries are held
 */
export async function whileQueriesAreHeld(pattern: RegExp, work: (count: () => number) => Promise<void>): Promise<void> {
  const held: (() => unknown)[] = [];
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function hold(this: pg.Client, ...args: unknown[]) {
    const send = () => query.apply(this, args);
    if (!pattern.test(textOf(args[0]))) return send();
    if (args.some((arg) => typeof arg === 'function')) return void held.push(send);
    return new Promise((resolve) => held.push(() => resolve(send())));
  } as never);
  try {
    await work(() => held.length);
  } finally {
    spy.mockRestore();
    for (const send of held) send();
  }
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
}
