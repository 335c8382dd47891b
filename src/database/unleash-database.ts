import type { Read } from './read.js';

/** Why the database of a server cannot be served as it is, and what to do about it. */
export class UnleashDatabaseError extends Error {}

/** What the gateway reads in a server's database, as the grants of docs/unleash.md give it. */
const READ = {
  events: 'id created_at type created_by created_by_user_id environment project feature_name data pre_data tags',
  public_signup_tokens: 'secret name expires_at created_at created_by role_id url enabled',
  public_signup_tokens_user: 'secret user_id created_at',
  users: 'id name username email deleted_at is_service',
  roles: 'id name description type',
  role_user: 'role_id user_id project',
} as const;

/** What not every version has; it is null then. Keys are the names of the model. */
const OPTIONAL_OF_USERS = {
  imageUrl: 'image_url',
  loginAttempts: 'login_attempts',
  createdAt: 'created_at',
  seenAt: 'seen_at',
  permissions: 'permissions',
  scimId: 'scim_id',
} as const;

export type OptionalUserField = keyof typeof OPTIONAL_OF_USERS;

export interface UnleashDatabase {
  /** Fields of users that this version of the server does not have, or that the gateway's role may not read. */
  readonly absentUserFields: readonly OptionalUserField[];
  /** Tables that the gateway's role may not insert into, of those that a creation writes. */
  readonly unwritable: readonly string[];
}

/** A column, whether it is there and whether this role may read it. */
interface ColumnState {
  readonly table: string;
  readonly column: string;
  readonly exists: boolean;
  readonly readable: boolean;
}

/**
 * Looks at the database of a server without touching it.
 * @throws UnleashDatabaseError that names every table and column that is missing or may not be read
 */
export async function inspectUnleashDatabase(read: Read): Promise<UnleashDatabase> {
  const [where] = await read<{ schema: string | null }>({ text: 'SELECT current_schema() AS schema', values: [] });
  if (where?.schema == null) {
    throw new UnleashDatabaseError(
      'The gateway may use none of the schemas in its search path (GRANT USAGE ON SCHEMA), or there are none of these names. docs/unleash.md has the grants that its role needs.',
    );
  }
  const optional = Object.values(OPTIONAL_OF_USERS);
  const required = Object.entries(READ).flatMap(([table, columns]) => columns.split(' ').map((column) => ({ table, column })));
  const states = await readStates(read, [...required, ...optional.map((column) => ({ table: 'users', column }))]);
  const needed = states.filter(({ table, column }) => !(table === 'users' && (optional as string[]).includes(column)));
  refuse(
    'lacks',
    'Is it the database of a server of this API, and of version 5.12 or later? A schema other than public is set in DATABASE_URL by ?options=-c%20search_path%3D…',
    needed.filter(({ exists }) => !exists),
  );
  refuse(
    'does not let the gateway read',
    'docs/unleash.md has the grants that its role needs.',
    needed.filter(({ readable }) => !readable),
  );

  const mayRead = new Set(states.filter(({ table, readable }) => table === 'users' && readable).map(({ column }) => column));
  return {
    absentUserFields: (Object.keys(OPTIONAL_OF_USERS) as OptionalUserField[]).filter(
      (field) => !mayRead.has(OPTIONAL_OF_USERS[field]),
    ),
    unwritable: await findUnwritable(read),
  };
}

/** Columns of one table in one phrase; a table of which everything is meant, by its name alone. */
function refuse(what: string, advice: string, states: readonly ColumnState[]): void {
  if (states.length === 0) return;
  const columnsOf = new Map<string, string[]>();
  for (const { table, column } of states) columnsOf.set(table, [...(columnsOf.get(table) ?? []), column]);
  const parts = [...columnsOf].map(([table, columns]) =>
    columns.length === READ[table as keyof typeof READ].split(' ').length ? `table ${table}` : `${table} (${columns.join(', ')})`,
  );
  throw new UnleashDatabaseError(`The database ${what} ${parts.join(', ')}. ${advice}`);
}

/** From the catalog, which every role may read, whatever it may read of the tables themselves. */
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
  const [row] = await read<{ tables: string[] }>({
    text: `
      SELECT array(
        SELECT name FROM unnest(ARRAY['public_signup_tokens', 'events']) AS name
        WHERE NOT has_table_privilege(name, 'INSERT')
        UNION ALL
        SELECT sequence FROM pg_get_serial_sequence('events', 'id') AS sequence WHERE NOT has_sequence_privilege(sequence, 'USAGE')
      ) AS tables`,
    values: [],
  });
  return row?.tables ?? [];
}
