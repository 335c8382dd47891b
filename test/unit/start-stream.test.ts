import { getEventListeners } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import { createStartStream } from '../../src/graphql/start-stream.js';
import { createHttpStreams } from '../../src/graphql-streams/http-stream.js';

test('Apollo Server fails → the error, and no listener is left', async () => {
  const failure = new Error('It failed.');
  const startStream = createStartStream(
    { executeOperation: async () => Promise.reject(failure) } as never,
    (() => null) as never,
  );
  const { signal } = new AbortController();
  await expect(startStream({ query: 'subscription { a }' }, { signal } as never)).rejects.toBe(failure);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a stream whose parameters are not valid → is charged, like every rejected document', async () => {
  const chargeRejected = jest.fn(async (_request: unknown) => undefined);
  const stream = createHttpStreams(() => Promise.reject(new Error('It ran.')), { chargeRejected });
  const request = { headers: { accept: 'text/event-stream' }, body: { query: 1 } };
  await expect(stream(request as never, {} as never)).rejects.toMatchObject({ name: 'BadDataError' });
  expect(chargeRejected).toHaveBeenCalledWith(request);
});
