import type { Config } from '../config.js';
import type { Database } from '../database/open.js';
import { EventQueries } from '../events/event.resolver.js';
import { createEventService } from '../events/event.service.js';
import { createEventStore } from '../events/event.store.js';
import { createEventLog } from '../events/event-log.js';
import { releaseEvents } from '../events/written-events.js';
import { createErrorMask } from '../graphql/format-error.js';
import { createOwnDocuments, type OwnDocuments } from '../graphql/own-documents.js';
import { createRunOperation } from '../graphql/run-operation.js';
import { createSchema } from '../graphql/schema.js';
import { withoutTurns } from '../limits/in-turn.js';
import { GATEWAY_EPOCH, UNLEASH_EPOCH } from '../log-version/epoch.store.js';
import type { RequestContext } from '../request-context.js';
import { createStatistics } from '../telemetry/request-statistics.js';
import { toGatewayError } from '../to-gateway-error.js';
import { EXPORT_DOCUMENTS } from './export-log.js';

/**
 * Runs the documents of an export in this process, directly on a database, without a server. The process has no other callers, so
 * nothing is limited.
 */
export function createLocalDocuments(database: Database, { databaseSchema }: Pick<Config, 'databaseSchema'>): OwnDocuments {
  const epochs = databaseSchema === 'own' ? GATEWAY_EPOCH : UNLEASH_EPOCH;
  const log = createEventLog(createEventStore(database.read, epochs));
  const events = createEventService({ primary: log, chooseLog: async () => log }, async () => undefined, withoutTurns);
  const schema = createSchema([new EventQueries(events)], []);
  return createOwnDocuments(schema, EXPORT_DOCUMENTS, {
    costs: { maxCost: Number.POSITIVE_INFINITY, find: () => null, charge: async () => undefined },
    mask: createErrorMask(toGatewayError),
    runOperation: createRunOperation(schema, { onWritten: releaseEvents }),
  });
}

/** Returns the context of the operator, who sees the whole log. It logs nothing, because the command reports errors itself. */
export function createOperatorContext(signal: AbortSignal): RequestContext {
  const ignore = () => undefined;
  return {
    caller: { id: 'operator', name: 'operator', email: null, userId: null, role: 'ADMIN', projects: 'all', expiresAt: null },
    signal,
    log: { error: ignore, warn: ignore, info: ignore },
    statistics: createStatistics(),
  };
}
