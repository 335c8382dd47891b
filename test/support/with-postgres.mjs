import { spawn } from 'node:child_process';
import { withCleanUp } from '../../bench/cleanup.mjs';
import { startPostgres } from '../../bench/postgres.mjs';

/**
 * Runs a command with TEST_DATABASE_URL naming a PostgreSQL server that is started for it and stopped after it:
 * `node test/support/with-postgres.mjs npm test`.
 */
await withCleanUp(async () => {
  const postgres = await startPostgres([], {
    // A zone other than UTC shows whether the gateway depends on it.
    timezone: 'Asia/Kolkata',
    fsync: 'off',
    max_prepared_transactions: '50',
    // With the default of 128 MB, opening a connection takes a tenth longer, and creating a database twice as long.
    shared_buffers: '16MB',
  });
  process.exitCode = await runWith({ TEST_DATABASE_URL: postgres.urlOf('postgres') });
});

function runWith(env) {
  const [program, ...args] = process.argv.slice(2);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
  });
}
