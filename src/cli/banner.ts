import path from 'node:path';
import type { Config } from '../config.js';
import type { Gateway } from '../gateway.js';

/** How long the banner waits for the number of events. Counting a large log can take longer. */
const COUNT_WITHIN_MS = 2_000;

/** Returns the text that a started gateway prints. The secret, if there is one, is on the last line. */
export function renderBanner(url: string, config: Config, log: readonly string[], secret: string | null): string {
  const { console, graphiql, unleash } = config;
  const rows: [string, ...string[]][] = [
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/api/admin/search/events  (described at ${url}/openapi.json)`],
    ['Database', describeDatabase(config)],
    ['Log', ...log],
  ];
  if (graphiql) rows.unshift(['GraphiQL', `${url}/graphiql`]);
  if (console) rows.unshift(['Console', `${url}/`]);
  if (unleash) rows.push(['Tokens', `also those of ${unleash.url}`]);
  const lines = rows.flatMap(([label, ...texts]) =>
    texts.map((text, line) => `  ${(line === 0 ? label : '').padEnd(10)}${text}`),
  );
  const end = secret === null ? '' : `Admin API token, shown this once: ${secret}\n`;
  return `\nflag-admin-gateway is ready at ${url}\n\n${lines.join('\n')}\n\n${end}`;
}

function describeDatabase({ database, databaseSchema }: Config): string {
  if ('dataDir' in database) return `embedded, in ${path.resolve(database.dataDir)}`;
  return databaseSchema === 'own' ? 'PostgreSQL' : 'PostgreSQL, of an Unleash server';
}

/** Returns lines about the log: the number of its events, and how to fill an empty log in the gateway's own database. */
export async function describeLog(gateway: Pick<Gateway, 'countEvents'>, { databaseSchema }: Config): Promise<string[]> {
  const count = await gateway.countEvents(AbortSignal.timeout(COUNT_WITHIN_MS)).catch(() => null);
  if (count === null) return [`not counted within ${COUNT_WITHIN_MS / 1000} seconds`];
  if (count > 0) return [count === 1 ? '1 event' : `${count.toLocaleString('en')} events`];
  if (databaseSchema === 'unleash') return ['no events yet'];
  return [
    'no events yet. Fill it:',
    `  ${commandLine('import <file>')}`,
    `  ${commandLine('mirror --from <url>')}`,
    'Or see a sample log, in another folder:',
    `  ${commandLine('demo')}`,
  ];
}

/** Returns the command line for another command, started in the same way as the running command. */
function commandLine(command: string): string {
  const isInRepository = path.basename(process.argv[1] ?? '') === 'main.js';
  return `${isInRepository ? 'npm run -s gateway --' : 'flag-admin-gateway'} ${command}`;
}
