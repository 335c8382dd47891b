/** JSON that goes on as the text it is: nothing is lost in it, such as the digits of a long number, and nothing is spent on reading it. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** `JSON.stringify` for plain values, which writes each `JsonText` among them as it is. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof JsonText) return value.text;
  return Array.isArray(value) ? listToJson(value) : membersToJson(value as Record<string, unknown>);
}

function listToJson(values: readonly unknown[]): string {
  let items = '';
  for (const value of values) items += items === '' ? toJson(value) : `,${toJson(value)}`;
  return `[${items}]`;
}

function membersToJson(value: Record<string, unknown>): string {
  let members = '';
  for (const name in value) {
    const member = value[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${nameToJson(name)}:${toJson(member)}`;
  }
  return `{${members}}`;
}

/** Nearly all names are those of the schema; clients may make up any number of others. */
const MAX_KNOWN_NAMES = 1_000;
const knownNames = new Map<string, string>();

function nameToJson(name: string): string {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const json = JSON.stringify(name);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, json);
  return json;
}
