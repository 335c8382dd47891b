import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiTokenSummary, createApiTokenService } from '../auth/api-token.service.js';
import { createApiTokenStore } from '../auth/api-token.store.js';
import type { Role } from '../auth/caller.js';
import { DATE_TIME_RULE, parseDateTime } from '../formats/date-time.js';
import { withDatabase } from './with-database.js';

const ROLES: readonly Role[] = ['VIEWER', 'ADMIN'];

interface CreateOptions {
  readonly name: string;
  readonly role: Role;
  readonly project?: readonly string[];
  readonly expires?: Date;
}

export function registerToken(program: Command): void {
  const token = program.command('token').description('create, list and revoke API tokens');

  token
    .command('create')
    .description('create an API token and print its secret, which cannot be read again')
    .requiredOption('--name <name>', 'the purpose of the token; shown as the creator of its signup tokens', parseName)
    .addOption(
      new Option('--role <role>', 'the permissions of the token').choices(ROLES).argParser(parseRole).makeOptionMandatory(),
    )
    .option('--project <ids>', 'limit the token to the events of these projects, separated by commas', parseProjects)
    .option('--expires <time>', 'when the token expires, such as 2026-12-31T23:59:59Z', parseExpiry)
    .action(async ({ name, role, project, expires }: CreateOptions) => {
      const secret = await withService((tokens) =>
        tokens.createUnique({ name, role, projects: project ?? 'all', expiresAt: expires ?? null }),
      );
      process.stdout.write(`${secret}\n`);
    });

  token
    .command('list')
    .description('list the API tokens, oldest first, without their secrets')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: { readonly json?: true }) => {
      const tokens = await withService((service) => service.list());
      if (json) {
        process.stdout.write(`${JSON.stringify(tokens.map(toJson), null, 2)}\n`);
        return;
      }
      const rows = tokens.map(({ id, name, role, projects, expiresAt, lastUsedAt }) => [
        id,
        role,
        projects === 'all' ? '*' : projects.join(','),
        expiresAt?.toISOString() ?? 'never',
        lastUsedAt?.toISOString() ?? 'never',
        name,
      ]);
      process.stdout.write(toTable([['ID', 'ROLE', 'PROJECTS', 'EXPIRES', 'LAST USED', 'NAME'], ...rows]));
    });

  token
    .command('revoke <name-or-id>')
    .description('revoke an API token; it stops working within a quarter of a second')
    .action(async (nameOrId: string) => {
      const { name, id } = await withService((service) => service.revoke(nameOrId));
      process.stdout.write(`Revoked ${name} (${id})\n`);
    });
}

function withService<T>(work: (service: ReturnType<typeof createApiTokenService>) => Promise<T>): Promise<T> {
  return withDatabase((database) => work(createApiTokenService(createApiTokenStore(database))));
}

/** `projects` is null for a token that is not limited to projects. */
function toJson({ id, name, role, projects, createdAt, expiresAt, lastUsedAt }: ApiTokenSummary) {
  return { id, name, role, projects: projects === 'all' ? null : projects, createdAt, expiresAt, lastUsedAt };
}

function parseRole(text: string): Role {
  const role = ROLES.find((name) => name === text.toUpperCase());
  if (!role) throw new InvalidArgumentError(`Allowed choices are ${ROLES.join(', ')}.`);
  return role;
}

function parseName(name: string): string {
  if (name.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return name;
}

function parseProjects(list: string): string[] {
  const projects = list.split(',').flatMap((project) => project.trim() || []);
  // In the database, `*` stands for all projects, even in a list with other projects.
  if (projects.includes('*')) throw new InvalidArgumentError('It must name projects; leave it out for all.');
  if (projects.length === 0) throw new InvalidArgumentError('It must name at least one project; leave it out for all.');
  return projects;
}

function parseExpiry(text: string): Date {
  const expiry = parseDateTime(text);
  if (!expiry) throw new InvalidArgumentError(`It ${DATE_TIME_RULE}.`);
  if (expiry.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return expiry;
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
