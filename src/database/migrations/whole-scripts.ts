import { DriverAdapterError, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

/** Held by the transaction of a migration's script. */
export const SCRIPT_LOCK = 42_427_305;

/**
 * Notes a migration as finished in the transaction of its script. The engine does so after it: were it killed in between, what is applied
 * would count as failed.
 */
const NOTE_FINISHED = `
  DO $$ BEGIN
    IF to_regclass('_prisma_migrations') IS NOT NULL THEN
      UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE finished_at IS NULL AND rolled_back_at IS NULL;
    END IF;
  END $$;`;

/**
 * The same adapters, which run a migration's script as one simple query: PostgreSQL makes that one transaction. Left to themselves,
 * adapter-pg splits it at every semicolon and pglite-prisma-adapter does not wait for it.
 */
export function withWholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
  runScript: (script: string) => Promise<unknown>,
): SqlMigrationAwareDriverAdapterFactory {
  const connect = async () => {
    const adapter = await factory.connect();
    adapter.executeScript = async (script) => {
      await runScript(`SELECT pg_advisory_xact_lock(${SCRIPT_LOCK}); ${script}\n;${NOTE_FINISHED}`).catch(
        (error: pg.DatabaseError) => {
          const { code, severity, message, detail, column, hint } = error;
          throw new DriverAdapterError({
            kind: 'postgres',
            code: code ?? 'N/A',
            severity: severity ?? 'N/A',
            message,
            detail,
            column,
            hint,
          });
        },
      );
    };
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect,
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}
