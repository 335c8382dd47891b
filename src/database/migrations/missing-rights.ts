import type { Read } from '../read.js';
import { MigrationError } from './migration-error.js';

/** The rights of the gateway's role in its database. Names are quoted as SQL needs them. */
export interface Rights {
  readonly role: string;
  readonly database: string;
  /** The schema for new tables; null if no schema of the search path exists and may be used. */
  readonly schema: string | null;
  readonly searchPath: string;
  readonly mayCreateTables: boolean;
  /** The state of pg_trgm: installed inside or outside of the search path, creatable by this role or not, or not available. */
  readonly extension: 'visible' | 'hidden' | 'creatable' | 'forbidden' | 'absent';
}

/** Reads the rights. The right CREATE on the database suffices for a trusted extension. Any other extension needs a superuser. */
const RIGHTS = {
  text: `
    SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
      quote_ident(current_schema()) AS schema, current_setting('search_path') AS "searchPath",
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables",
      CASE
        WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
          CASE WHEN EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid)) THEN 'visible' ELSE 'hidden' END
        WHEN NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN 'absent'
        WHEN current_setting('is_superuser') = 'on' THEN 'creatable'
        WHEN has_database_privilege(current_database(), 'CREATE')
          AND EXISTS (SELECT FROM pg_available_extension_versions WHERE name = 'pg_trgm' AND trusted) THEN 'creatable'
        ELSE 'forbidden'
      END AS extension`,
  values: [],
};

/** Checks all rights that migrations need, because PostgreSQL reports only one missing right at a time. @throws MigrationError */
export async function rejectMissingRights(read: Read): Promise<void> {
  const [rights] = await read<Rights>(RIGHTS);
  const sentence = rights && explainMissingRights(rights);
  if (sentence) throw new MigrationError(sentence);
}

/** Returns a sentence that lists the missing rights and the statements that grant them; null if no right is missing. */
export function explainMissingRights({ role, database, schema, searchPath, mayCreateTables, extension }: Rights): string | null {
  if (schema === null && !/\bpublic\b/.test(searchPath)) {
    return `The role ${role} can use no existing schema of the search path (${searchPath}). Create one in the database ${database} (CREATE SCHEMA … AUTHORIZATION ${role}), or correct search_path in DATABASE_URL.`;
  }
  if (extension === 'absent') {
    return 'The PostgreSQL server lacks the extension pg_trgm. Install it on the server: on Debian, the package is postgresql-contrib.';
  }
  // To a role without a usable schema, every extension looks hidden. The real state of the extension is then unknown.
  if (extension === 'hidden' && schema !== null) {
    return `The extension pg_trgm of the database ${database} is in a schema outside of the search path (${searchPath}). Add its schema to search_path in DATABASE_URL.`;
  }
  const problems: string[] = [];
  const statements: string[] = [];
  if (!mayCreateTables) {
    problems.push(`create tables in the schema ${schema ?? 'public'}, which only its owner may since PostgreSQL 15`);
    statements.push(`GRANT USAGE, CREATE ON SCHEMA ${schema ?? 'public'} TO ${role};`);
  }
  if (extension === 'forbidden') {
    problems.push('create the extension pg_trgm');
    statements.push('CREATE EXTENSION pg_trgm;');
  }
  if (problems.length === 0) return null;
  return `The role ${role} may not ${problems.join(', and may not ')}. Let a superuser run this in the database ${database}, and start again: ${statements.join(' ')}`;
}
