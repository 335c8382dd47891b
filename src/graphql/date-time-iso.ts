import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { DATE_TIME_RULE, parseDateTime } from '../formats/date-time.js';
import { toWireTime } from '../formats/stored-time.js';

/** The scalar of instants. Parses them like REST parameters. Serializes a `Date` or a stored time as UTC with milliseconds. */
export const DateTimeISO = new GraphQLScalarType<Date, string>({
  name: 'DateTimeISO',
  description:
    'An instant as an RFC 3339 date-time with a zone, in the years 0001 to 9999. Responses have UTC with milliseconds, such as 2026-12-31T23:59:59.000Z, and a year of six digits outside of these years, such as +020000-01-01T00:00:00.000Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize(value) {
    if (value instanceof Date) return value.toISOString();
    const time = typeof value === 'string' ? toWireTime(value) : null;
    if (time !== null) return time;
    throw new TypeError('DateTimeISO serializes a Date or a text in UTC.');
  },
  parseValue: (value) => parse(value),
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
});

/** Writes a stored time as JSON, faster than `serialize` and `JSON.stringify`. Returns null for any other value. */
export function storedTimeToJson(value: unknown): string | null {
  const time = typeof value === 'string' ? toWireTime(value) : null;
  return time === null ? null : `"${time}"`;
}

function parse(value: unknown, node?: ValueNode): Date {
  const instant = typeof value === 'string' ? parseDateTime(value) : null;
  if (instant) return instant;
  throw new GraphQLError(`It ${DATE_TIME_RULE}.`, node && { nodes: node });
}
