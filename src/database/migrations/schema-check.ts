import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import { codeOf } from '../error-causes.js';

/** Returns the names of tables and columns that the models need and the database lacks; at most one column per table. */
export async function findMissing(prisma: PrismaClient): Promise<string[]> {
  // The type requires every model, so that a new one is not forgotten.
  const probes: Record<Prisma.ModelName, { readonly table: string; readonly read: () => Promise<unknown> }> = {
    Event: { table: 'events', read: () => prisma.event.findFirst() },
    PublicSignupToken: { table: 'public_signup_tokens', read: () => prisma.publicSignupToken.findFirst() },
    PublicSignupTokenUser: { table: 'public_signup_tokens_user', read: () => prisma.publicSignupTokenUser.findFirst() },
    User: { table: 'users', read: () => prisma.user.findFirst() },
    Role: { table: 'roles', read: () => prisma.role.findFirst() },
    RoleUser: { table: 'role_user', read: () => prisma.roleUser.findFirst() },
    ApiToken: { table: 'gateway_api_token', read: () => prisma.apiToken.findFirst() },
    Mirror: { table: 'gateway_mirror', read: () => prisma.mirror.findFirst() },
    EventLogState: { table: 'gateway_event_log', read: () => prisma.eventLogState.findFirst() },
    LateEvent: { table: 'gateway_late_event', read: () => prisma.lateEvent.findFirst() },
    ServerRun: { table: 'gateway_server_run', read: () => prisma.serverRun.findFirst() },
    RateLimit: { table: 'gateway_rate_limit', read: () => prisma.rateLimit.findFirst() },
    IdempotencyKey: { table: 'gateway_idempotency_key', read: () => prisma.idempotencyKey.findFirst() },
  };
  const missing: string[] = [];
  for (const { table, read } of Object.values(probes)) {
    await read().catch((error: unknown) => {
      if (codeOf(error) !== UNLOGGED_ON_STANDBY) missing.push(nameMissing(table, error));
    });
  }
  return missing;
}

/** The SQLSTATE of a standby that reads an unlogged table, such as `gateway_server_run`. The table exists. */
const UNLOGGED_ON_STANDBY = '0A000';

function nameMissing(table: string, error: unknown): string {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) throw error;
  if (error.code === 'P2021') return `table ${table}`;
  if (error.code === 'P2022') return `column ${columnOf(error) ?? `of ${table}`}`;
  throw error;
}

/** Reads the table and the column from PostgreSQL's message, such as `column events.type does not exist`. */
function columnOf({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined {
  const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: { cause?: { originalMessage?: string } } };
  return /^column (\S+) does not exist/.exec(driverAdapterError?.cause?.originalMessage ?? '')?.[1]?.replaceAll('"', '');
}
