import type { FastifyInstance } from 'fastify';
import { toJson } from '../formats/json-text.js';
import type { Execute } from '../graphql/executor.js';
import type { ReadLogVersion } from '../log-version/version.js';
import { registerCreateSignupToken } from './create-signup-token.js';
import { registerFeatureEvents } from './feature-events.js';
import { registerOpenapi } from './openapi.js';
import { registerReadSignupToken } from './read-signup-token.js';
import { registerSearchEvents } from './search-events.js';

/** The REST shim runs the admin paths of spec 4 as typed documents on the GraphQL schema, and serves their OpenAPI document. */
export async function registerRest(app: FastifyInstance, execute: Execute, readVersion: ReadLogVersion): Promise<void> {
  await app.register(async (rest) => {
    // The route schemas are documentation only. The parsers validate each request once, and report every problem.
    rest.setValidatorCompiler(() => () => true);
    rest.setSerializerCompiler(() => toJson);
    await registerOpenapi(rest);
    registerFeatureEvents(rest, execute, readVersion);
    registerSearchEvents(rest, execute);
    registerCreateSignupToken(rest, execute);
    registerReadSignupToken(rest, execute);
  });
}
