import { ConfigError } from '../config.js';
import { DataDirInUseError } from '../database/data-dir-lock.js';
import { MigrationError } from '../database/migrate.js';
import { GatewayError } from '../errors.js';
import { ImportError } from '../events/event-import.js';

/** What the person who typed the command can mend. */
export class UsageError extends Error {}

/** Failures whose message tells a person all there is to know. */
const EXPECTED = [UsageError, ConfigError, DataDirInUseError, MigrationError, ImportError, GatewayError];

/** Writes why a command failed to stderr and makes the process end with 1. */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  if (EXPECTED.some((kind) => error instanceof kind)) process.stderr.write(`${(error as Error).message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
