import pg from 'pg';
import type { TestGateway } from './test-gateway.js';

export type OpenWriter = Awaited<ReturnType<typeof connectWriter>>;

/** Connects to the database of a gateway, for a transaction that has written to the log and stays open. */
export async function connectWriter({ databaseEnv, prisma }: TestGateway) {
  const client = new pg.Client({ connectionString: databaseEnv['DATABASE_URL'] });
  await client.connect();
  return {
    /** Begins a transaction that adds an event. @returns the id of the event */
    async beginEvent(table = 'events'): Promise<number> {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO ${table} (type, created_by) VALUES ('feature-created', 'writer') RETURNING id`,
      );
      return rows[0]?.id ?? 0;
    },

    query: (sql: string) => client.query(sql),

    /** Adds an event in a transaction of its own, which ends at once. @returns the id of the event */
    addOther: async (): Promise<number> =>
      (await prisma.event.create({ data: { type: 'feature-created', createdBy: 'other' } })).id,

    end: () => client.end(),
  };
}
