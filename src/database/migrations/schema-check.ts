import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';

/** Returns the names of tables and columns that the models need and the database lacks; at most one column per table. */
export async function findMissing(prisma: PrismaClient): Promise<string[]> {
  const probes: Record<string, () => Promise<unknown>> = {
    events: () => prisma.event.findFirst(),
    public_signup_tokens: () => prisma.publicSignupToken.findFirst(),
    public_signup_tokens_user: () => prisma.publicSignupTokenUser.findFirst(),
    users: () => prisma.user.findFirst(),
    roles: () => prisma.role.findFirst(),
    role_user: () => prisma.roleUser.findFirst(),
    gateway_api_token: () => prisma.apiToken.findFirst(),
    gateway_mirror: () => prisma.mirror.findFirst(),
    gateway_event_log: () => prisma.eventLogState.findFirst(),
  };
  const missing: string[] = [];
  for (const [table, probe] of Object.entries(probes)) {
    await probe().catch((error: unknown) => missing.push(nameMissing(table, error)));
  }
  return missing;
}

function nameMissing(table: string, error: unknown): string {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) throw error;
  if (error.code === 'P2021') return `table ${table}`;
  if (error.code === 'P2022') return `column ${columnOf(error) ?? `of ${table}`}`;
  throw error;
}

/** Reads the column from PostgreSQL's message: the driver adapters report it in different fields. */
function columnOf({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined {
  const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: { cause?: { originalMessage?: string } } };
  return /^column (\S+) does not exist/.exec(driverAdapterError?.cause?.originalMessage ?? '')?.[1]?.replaceAll('"', '');
}
