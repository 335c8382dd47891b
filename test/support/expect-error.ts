import { expect } from '@jest/globals';
import type { RawResponse } from './send-raw.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Checks an error of a REST path: the status, and exactly the error body of spec 2.7. */
export function expectError(response: RawResponse, status: number, name: string): void {
  expect({ status: response.status, ...response.body }).toEqual({
    status,
    id: expect.stringMatching(UUID),
    name,
    message: expect.stringMatching(/\S/),
    ...(response.body?.details !== undefined && { details: expect.any(Array) }),
  });
  expect(response.headers['content-type']).toMatch(/^application\/json\b/);
}

/** Checks the only error of a GraphQL response: its `extensions` have the error body of spec 2.7 and the code. */
export function expectGraphqlError(response: RawResponse, code: string, name: string): void {
  expect(response.body.errors).toHaveLength(1);
  const [{ message, extensions }] = response.body.errors;
  expect(message).toMatch(/\S/);
  expect(extensions).toEqual({
    code,
    id: expect.stringMatching(UUID),
    name,
    message,
    ...(extensions.details !== undefined && { details: expect.any(Array) }),
  });
}

/** Returns the details of an error, each as `path message`. */
export function detailsOf({ body }: RawResponse): string[] {
  const { details } = body.errors ? body.errors[0].extensions : body;
  return details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
}
