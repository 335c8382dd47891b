import { encodeParts } from '../formats/json-body.js';
import { type JsonList, toJson } from '../formats/json-text.js';

/** A page of a flag's events in the wire format, newest first. */
export interface WirePage {
  readonly events: JsonList;
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * Writes the body of spec 4.1 in pieces of one page each. Only one page is in memory at a time, and only as bytes while a slow
 * client reads it.
 */
export async function* writeFeatureEvents(
  toggleName: string,
  readPage: (after: string | null) => Promise<WirePage>,
): AsyncGenerator<Buffer> {
  let parts = [`{"version":1,"toggleName":${toJson(toggleName)},"events":[`];
  let total = 0;
  let after: string | null = null;
  do {
    const { events, next }: WirePage = await readPage(after);
    for (const item of events.toItems()) {
      parts.push(total === 0 ? item : `,${item}`);
      total += 1;
    }
    after = next;
    if (after === null) parts.push(`],"totalEvents":${total}}`);
    yield encodeParts(parts);
    parts = [];
  } while (after !== null);
}
