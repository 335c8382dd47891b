import { execute } from './databases.js';

/** Names that neither server would create, but that an import or a script can have written into the tables. */
const NAMES = [
  '',
  'line\nbreak',
  'cr\r\n',
  'a,b',
  ',',
  ' spaced ',
  'tab\t',
  '\u2028',
  '%',
  '100%_\\',
  'sl/ash',
  '..',
  '?x#y&z=1',
];
const MORE_NAMES = ['ÄÖÜ 🏁', `o'quote "x"`, 'IS:x', 'x'.repeat(250)];

/** Adds events with odd names of flags, projects and environments. Puts the first user of an invitation last in the table. */
export async function addOddNames(databaseUrl: string): Promise<void> {
  const values = [...NAMES, ...MORE_NAMES].map((name) => `(${quote(name)}, ${quote(name.slice(0, 50))})`);
  await execute(
    databaseUrl,
    `INSERT INTO events (created_at, type, created_by, feature_name, project, environment, data, tags, announced)
     SELECT now(), 'feature-updated', 'a script', name, part, part, json_build_object('name', name), '[]', true
     FROM (VALUES ${values.join(', ')}) AS names (name, part)`,
  );
  // Unleash returns the users of a token in the order of the table.
  await execute(
    databaseUrl,
    `WITH first AS (DELETE FROM public_signup_tokens_user WHERE user_id = (SELECT min(user_id) FROM public_signup_tokens_user) RETURNING *)
     INSERT INTO public_signup_tokens_user SELECT * FROM first`,
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
