import type { EventText } from '../events/event.js';
import { EVENT_COLUMNS } from '../events/event-columns.store.js';
import { Prisma } from '../generated/prisma/client.js';

/**
 * Returns the condition that a text contains the literal. PostgreSQL looks up only the selective part in the index. The whole
 * literal is compared with an expression that no index has, because PostgreSQL would otherwise look up all of its trigrams.
 */
export function textCondition(kind: EventText, literal: string, selectivePart: string | null): Prisma.Sql {
  const text = Prisma.raw(`${EVENT_COLUMNS[kind].column}::text`);
  if (selectivePart === null) return Prisma.sql`${text} ILIKE ${toPattern(literal)}`;
  return Prisma.sql`(${text} ILIKE ${toPattern(selectivePart)} AND ${text} || '' ILIKE ${toPattern(literal)})`;
}

/** Returns the LIKE pattern for a literal, with `%`, `_` and `\` escaped. */
function toPattern(literal: string): string {
  return `%${literal.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
