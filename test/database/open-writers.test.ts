import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { connectWriter, type OpenWriter } from '../support/open-writer.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EXPORT = '/v1/events/export';

// The embedded database runs one transaction at a time.
(isPostgres ? describe : describe.skip)('an export while a transaction that has written to the log is open', () => {
  let gateway: TestGateway;
  let writer: OpenWriter;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
    writer = await connectWriter(gateway);
  });
  afterAll(async () => {
    await writer.end();
    await gateway.stop();
  });

  const lastIdOf = (text: string): number => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').id;

  test('without any watermark → 503 with the reason; after the commit → its event', async () => {
    const open = await writer.beginEvent();
    await writer.addOther();
    const response = await gateway.send(EXPORT);
    expectError(response, 503, 'ServiceUnavailableError');
    expect(response.body.message).toMatch(/^A transaction that has written to the log is still open/);
    await writer.query('COMMIT');
    const { text } = await gateway.send(EXPORT);
    expect(text).toContain(`{"id":${open},`);
  });

  test('an earlier watermark, and an open transaction → the export ends at the watermark', async () => {
    const before = await writer.addOther();
    expect((await gateway.send(EXPORT)).headers['x-export-up-to']).toBe(String(before));
    const open = await writer.beginEvent();
    const after = await writer.addOther();
    expect(after).toBeGreaterThan(open);
    const { text, headers } = await gateway.send(EXPORT);
    expect([lastIdOf(text), Number(headers['x-export-up-to'])]).toEqual([before, before]);
    // Another gateway cannot have found this end while the transaction is open.
    expectError(await gateway.send(`${EXPORT}?up-to=${after}`), 503, 'ServiceUnavailableError');
    await writer.query('COMMIT');
    const rest = await gateway.send(`${EXPORT}?after=${before}`);
    expect(
      rest.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([open, after]);
  });
});
