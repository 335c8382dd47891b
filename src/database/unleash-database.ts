import { OperatorError } from '../errors.js';
import type { Read } from './read.js';

/** Says why an Unleash database cannot be served, and what to do about it. */
export class UnleashDatabaseError extends OperatorError {}

/** The columns that the gateway reads in an Unleash database besides those of `events`, as granted in docs/grants.sql. */
const READ: Readonly<Record<string, readonly string[]>> = {
  public_signup_tokens: ['secret', 'name', 'expires_at', 'created_at', 'created_by', 'role_id', 'url', 'enabled'],
  public_signup_tokens_user: ['secret', 'user_id', 'created_at'],
  users: ['id', 'name', 'username', 'email', 'deleted_at', 'is_service'],
  roles: ['id', 'name', 'description', 'type'],
  role_user: ['role_id', 'user_id', 'project'],
};

/** The columns that the creation of a signup token writes, as granted in docs/grants.sql. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  public_signup_tokens: ['secret', 'name', 'expires_at', 'created_by', 'role_id', 'url', 'enabled'],
  events: ['type', 'created_by', 'created_by_user_id', 'data', 'tags', 'announced'],
};

/** Columns of `users` that some versions of Unleash lack, by their Prisma field. A missing column is read as null. */
const OPTIONAL_USER_COLUMNS = {
  imageUrl: 'image_url',
  loginAttempts: 'login_attempts',
  createdAt: 'created_at',
  seenAt: 'seen_at',
  permissions: 'permissions',
  scimId: 'scim_id',
} as const;

export type OptionalUserField = keyof typeof OPTIONAL_USER_COLUMNS;

export interface UnleashDatabase {
  /** Fields of users that this version of Unleash lacks, or that the gateway's role may not read. */
  readonly absentUserFields: readonly OptionalUserField[];
  /** Tables and sequences that creating a signup token writes, but that the gateway's role may not write. */
  readonly unwritable: readonly string[];
}

/** Whether a column exists, and whether the gateway's role may read it. */
interface ColumnState {
  readonly table: string;
  readonly column: string;
  readonly exists: boolean;
  readonly readable: boolean;
}

/**
 * Inspects an Unleash database without changing it.
 * @throws UnleashDatabaseError if no schema can be used, if the database is the gateway's own, or if tables or columns are
 * missing or unreadable. The error names every such table and column.
 */
export async function inspectUnleashDatabase(read: Read, eventColumns: readonly string[]): Promise<UnleashDatabase> {
  const text = 'SELECT current_schema() AS schema, to_regclass(\'gateway_api_token\') IS NOT NULL AS "isOwn"';
  const [current] = await read<{ schema: string | null; isOwn: boolean }>({ text, values: [] });
  if (current?.schema == null) {
    throw new UnleashDatabaseError(
      'The gateway can use no existing schema of the search path (GRANT USAGE ON SCHEMA). docs/unleash.md lists the grants that its role needs.',
    );
  }
  if (current.isOwn) {
    throw new UnleashDatabaseError(
      'DATABASE_URL names a database of the gateway itself, but DATABASE_SCHEMA=unleash asks for that of an Unleash server. Change one of them.',
    );
  }
  const optional = Object.values(OPTIONAL_USER_COLUMNS);
  const columnsByTable = { events: eventColumns, ...READ };
  const tables = new Map(Object.entries(columnsByTable));
  const needed = await readStates(read, toColumns(columnsByTable));
  throwIfAny(
    'lacks',
    'Is it the database of Unleash 5.12 or later? If its schema is not public, DATABASE_URL needs ?options=-c%20search_path%3D…',
    needed.filter(({ exists }) => !exists),
    tables,
  );
  throwIfAny(
    'does not let the gateway read',
    'docs/unleash.md lists the grants that its role needs.',
    needed.filter(({ readable }) => !readable),
    tables,
  );

  const optionalStates = await readStates(
    read,
    optional.map((column) => ({ table: 'users', column })),
  );
  const readable = new Set(optionalStates.filter((state) => state.readable).map(({ column }) => column));
  return {
    absentUserFields: (Object.keys(OPTIONAL_USER_COLUMNS) as OptionalUserField[]).filter(
      (field) => !readable.has(OPTIONAL_USER_COLUMNS[field]),
    ),
    unwritable: await findUnwritable(read),
  };
}

function toColumns(columnsByTable: Readonly<Record<string, readonly string[]>>): { table: string; column: string }[] {
  return Object.entries(columnsByTable).flatMap(([table, columns]) => columns.map((column) => ({ table, column })));
}

/** Throws an error that lists the columns by table. A table is named without its columns if all of them are affected. */
function throwIfAny(
  problem: string,
  advice: string,
  states: readonly ColumnState[],
  tables: ReadonlyMap<string, readonly string[]>,
): void {
  if (states.length === 0) return;
  const columnsOf = new Map<string, string[]>();
  for (const { table, column } of states) columnsOf.set(table, [...(columnsOf.get(table) ?? []), column]);
  const parts = [...columnsOf].map(([table, columns]) =>
    columns.length === tables.get(table)?.length ? `table ${table}` : `${table} (${columns.join(', ')})`,
  );
  throw new UnleashDatabaseError(`The database ${problem} ${parts.join(', ')}. ${advice}`);
}

/** Reads the catalog, which is open to every role, even to one without rights on the tables. */
function readStates(read: Read, columns: readonly { table: string; column: string }[]): Promise<ColumnState[]> {
  return read<ColumnState>({
    text: `
      SELECT "table", "column", attnum IS NOT NULL AS exists,
        coalesce(has_column_privilege(to_regclass("table"), attnum, 'SELECT'), false) AS readable
      FROM unnest($1::text[], $2::text[]) AS needed("table", "column")
      LEFT JOIN pg_attribute ON attrelid = to_regclass("table") AND attname = "column" AND NOT attisdropped`,
    values: [columns.map(({ table }) => table), columns.map(({ column }) => column)],
  });
}

async function findUnwritable(read: Read): Promise<string[]> {
  const written = toColumns(WRITTEN);
  const [row] = await read<{ tables: string[] }>({
    text: `
      SELECT array(
        SELECT DISTINCT "table" FROM unnest($1::text[], $2::text[]) AS written("table", "column")
        WHERE NOT has_column_privilege("table", "column", 'INSERT')
        UNION ALL
        SELECT sequence FROM pg_get_serial_sequence('events', 'id') AS sequence WHERE NOT has_sequence_privilege(sequence, 'USAGE')
      ) AS tables`,
    values: [written.map(({ table }) => table), written.map(({ column }) => column)],
  });
  return row?.tables ?? [];
}
