import { type Config, parseConfig } from '../config.js';
import { migrate } from '../database/migrations/migrate.js';
import { type Database, openDatabase } from '../database/open.js';
import { ConfigError } from '../environment.js';

/** Migrates the gateway's own database, runs `work` on it, and closes it. */
export function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  return withOpenDatabase(async (database) => {
    await migrate(database);
    return work(database);
  });
}

/** Runs `work` on the gateway's own database without migrating it, and closes it. */
export async function withOpenDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = parseConfig(process.env);
  if (config.databaseSchema === 'unleash') {
    throw new ConfigError(
      "This command needs the gateway's own database, but DATABASE_SCHEMA is unleash. Tokens and events come from Unleash there.",
    );
  }
  return open(config, work);
}

/** Migrates the gateway's own database, but not that of an Unleash server. Runs `work` on the database, and closes it. */
export function withReadableDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  return open(parseConfig(process.env), async (database, config) => {
    if (config.databaseSchema === 'own') await migrate(database);
    return work(database, config);
  });
}

async function open<T>(config: Config, work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const database = await openDatabase(config.database);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
