import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const byId = recordedEvents.toSorted((a, b) => a.id - b.id);
const EXPORT = '/v1/events/export';

describe('GET /v1/events/export', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  test('every event, lowest id first', async () => {
    const { status, headers, text } = await gateway.send(EXPORT);
    expect(status).toBe(200);
    console.log(headers, text.slice(0, 500), gateway.log.slice(-5));
    expect(text.trimEnd().split('\n').map((line) => JSON.parse(line))).toEqual(byId);
    const csv = await gateway.send(`${EXPORT}?format=csv`);
    console.log(csv.headers, csv.text.slice(0, 1500));
    const head = await gateway.send(`${EXPORT}?format=csv`, {method: 'HEAD'});
    console.log(head.status, head.headers, head.text);
    console.log((await gateway.send(`${EXPORT}?format=xml&limit=4&up-to=x&feature=a`)).text);
    console.log((await gateway.send(`${EXPORT}?up-to=99999999`)).text);
  });
});
