import type { Command } from 'commander';
import { migrate, rejectIncomplete } from '../database/migrations/migrate.js';
import { withOpenDatabase } from './with-database.js';

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('apply prisma/migrations to the database')
    .action(async () => {
      const applied = await withOpenDatabase(async (database) => {
        const names = await migrate(database);
        await rejectIncomplete(database);
        return names;
      });
      process.stdout.write(
        applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply: the database is up to date.\n',
      );
    });
}
