/** JSON that goes on as the text it is: nothing is lost in it, such as the digits of a long number, and nothing is spent on reading it. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** `JSON.stringify` for plain values, which writes each `JsonText` among them as it is. */
export function toJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  let members = '';
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${toJson(member)}`;
  }
  return `{${members}}`;
}
