import { expect, test } from '@jest/globals';
import { startSingleFlight } from '../../src/log-version/single-flight.js';

/** Work that ends when it is told to, or given up. */
function start() {
  let finish = (_: string) => {};
  const work = startSingleFlight<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => reject(new Error('given up')));
      }),
  );
  return { work, finish: (result: string) => finish(result) };
}

test('goes on while somebody waits, and is given up once nobody does', async () => {
  const { work } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [work.join(first.signal), work.join(second.signal)].map((result) =>
    result.catch(({ message }: Error) => message),
  );
  first.abort();
  expect(work.isAbandoned).toBe(false);
  second.abort();
  expect(work.isAbandoned).toBe(true);
  expect(await Promise.all(waiting)).toEqual(['given up', 'given up']);
});

test('is never given up by who cannot go away', async () => {
  const { work, finish } = start();
  const other = new AbortController();
  const staying = work.join(undefined);
  const leaving = work.join(other.signal);
  other.abort();
  finish('done');
  expect(await Promise.all([staying, leaving])).toEqual(['done', 'done']);
  expect(work.isAbandoned).toBe(false);
});

test('who comes after all were gone before it began is not counted on', async () => {
  const { work } = start();
  const gone = AbortSignal.abort();
  await expect(work.join(gone)).rejects.toThrow('given up');
});
