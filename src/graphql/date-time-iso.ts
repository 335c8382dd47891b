import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { DATE_TIME_RULE, parseDateTime } from '../formats/date-time.js';

const MILLISECONDS_END = '2026-12-31T23:59:59.000'.length;

/** Parses with the parser of REST. Serializes a `Date`, or a UTC text with more digits, as UTC with milliseconds. */
export const DateTimeISO = new GraphQLScalarType<Date, string>({
  name: 'DateTimeISO',
  description:
    'An instant as an RFC 3339 date-time with a zone, in the years 0001 to 9999. Responses have UTC with milliseconds, such as 2026-12-31T23:59:59.000Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize(value) {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'string' && value.endsWith('Z')) return `${value.slice(0, MILLISECONDS_END)}Z`;
    throw new TypeError('DateTimeISO serializes a Date or a text in UTC.');
  },
  parseValue: (value) => parse(value),
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parse(value: unknown, node?: ValueNode): Date {
  const instant = typeof value === 'string' ? parseDateTime(value) : null;
  if (instant) return instant;
  throw new GraphQLError(`It ${DATE_TIME_RULE}.`, node && { nodes: node });
}
