import type { Command } from 'commander';
import { parseConfig } from '../config.js';
import { migrate, refuseIncomplete } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('apply prisma/migrations to the database')
    .action(async () => {
      const database = await openDatabase(parseConfig(process.env).database);
      try {
        const applied = await migrate(database);
        await refuseIncomplete(database);
        process.stdout.write(
          applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply: the database is up to date.\n',
        );
      } finally {
        await database.close();
      }
    });
}
