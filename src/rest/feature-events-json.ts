import { type JsonList, toJson } from '../formats/json-text.js';

/** A page of a flag's events in the wire format, newest first. */
export interface WirePage {
  readonly events: JsonList;
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * Writes the body of spec 4.1 in pieces of one page each. Only one page is in memory at a time, and only as text while a slow
 * client reads it.
 */
export async function* writeFeatureEvents(
  toggleName: string,
  readPage: (after: string | null) => Promise<WirePage>,
): AsyncGenerator<string> {
  let piece = `{"version":1,"toggleName":${toJson(toggleName)},"events":[`;
  let total = 0;
  let after: string | null = null;
  do {
    const { events, next }: WirePage = await readPage(after);
    const items = events.text.slice(1, -1);
    piece += total > 0 && items !== '' ? `,${items}` : items;
    total += events.length;
    after = next;
    if (after === null) piece += `],"totalEvents":${total}}`;
    yield piece;
    piece = '';
  } while (after !== null);
}
