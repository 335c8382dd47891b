import { type Config, parseConfig } from '../config.js';
import { migrate } from '../database/migrate.js';
import { type Database, openDatabase } from '../database/open.js';

/** Runs `work` on the configured database, migrated first, and closes it. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = parseConfig(process.env);
  const database = await openDatabase(config.database);
  try {
    await migrate(database);
    return await work(database, config);
  } finally {
    await database.close();
  }
}
