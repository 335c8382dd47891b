import { expect } from '@jest/globals';
import type { Answer } from './send-raw.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An error answer of a REST path: the status, and the error body of spec 2.7 with nothing else in it. */
export function expectError(answer: Answer, status: number, name: string): void {
  expect({ status: answer.status, ...answer.body }).toEqual({
    status,
    id: expect.stringMatching(UUID),
    name,
    message: expect.stringMatching(/\S/),
    ...(answer.body?.details !== undefined && { details: expect.any(Array) }),
  });
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
}

/** An error of a GraphQL answer: the same body in `extensions`, beside the code. */
export function expectGraphqlError(answer: Answer, code: string, name: string): void {
  expect(answer.body.errors).toHaveLength(1);
  const [{ message, extensions }] = answer.body.errors;
  expect(message).toMatch(/\S/);
  expect(extensions).toEqual({
    code,
    id: expect.stringMatching(UUID),
    name,
    message,
    ...(extensions.details !== undefined && { details: expect.any(Array) }),
  });
}

/** What the details of an error say, as `path message`. */
export function detailsOf({ body }: Answer): string[] {
  const { details } = body.errors ? body.errors[0].extensions : body;
  return details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
}
