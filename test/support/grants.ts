import { readFile } from 'node:fs/promises';

const GRANTS = new URL('../../docs/grants.sql', import.meta.url);

/** Returns the statements of docs/grants.sql for a role, as psql would send them, without psql's own commands. */
export async function readGrants(role: string, rights: 'all' | 'reading' = 'all'): Promise<string> {
  const script = await readFile(GRANTS, 'utf8');
  const [reading = ''] = script.split('-- Leave these out');
  return (rights === 'all' ? script : `${reading} COMMIT;`)
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/\\gset.*$/gm, ';')
    .replaceAll(":'role'", `'${role}'`)
    .replaceAll(':"role"', `"${role}"`);
}
