import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordedById } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

interface RecordedCase {
  readonly operation: 'featureEvents' | 'searchEvents';
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly toggleName?: string;
  readonly totalEvents?: number;
  /** The newest 50 ids: the recorded service returns no more. */
  readonly newestIds?: readonly number[];
  readonly total?: number;
  readonly ids?: readonly number[];
}

const cases = JSON.parse(readFileSync(new URL('../recorded/cases.json', import.meta.url), 'utf8')) as RecordedCase[];

describe('responses recorded from a real service', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  // A path that was shortened with an ellipsis cannot be sent again.
  test.each(cases.filter(({ path }) => !path.includes('…')))('$operation: $name', async (recorded) => {
    const { status, body } = await gateway.send(recorded.path);
    const ids = body.events.map(({ id }: { id: number }) => id);

    expect(status).toBe(recorded.status);
    expect(body.events).toEqual(ids.map((id: number) => recordedById.get(id)));
    if (recorded.operation === 'featureEvents') {
      expect(ids.slice(0, 50)).toEqual(recorded.newestIds);
      expect(ids).toHaveLength(recorded.totalEvents ?? -1);
      expect(body).toMatchObject({ version: 1, toggleName: recorded.toggleName, totalEvents: recorded.totalEvents });
    } else {
      expect(ids).toEqual(recorded.ids);
      expect(body.total).toBe(recorded.total);
    }
  });
});
