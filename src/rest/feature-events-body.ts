import { toJson } from '../json-text.js';

/** A page of a flag's events, newest first, as they are on the wire. */
export interface WirePage {
  readonly events: readonly object[];
  /** Null on the last page. */
  readonly next: string | null;
}

/**
 * The body of spec 4.1 in pieces, each of one page of which the first is there: however many events, no more than one page is held, and of
 * that only its text while a client takes its time to read it.
 */
export async function* writeFeatureEvents(
  toggleName: string,
  page: WirePage | null,
  readPage: (after: string) => Promise<WirePage>,
): AsyncGenerator<string> {
  yield `{"version":1,"toggleName":${toJson(toggleName)},"events":[`;
  let total = 0;
  while (page) {
    const { next, events }: WirePage = page;
    const text = `${total === 0 || events.length === 0 ? '' : ','}${events.map(toJson).join(',')}`;
    total += events.length;
    page = null;
    if (text !== '') yield text;
    if (next !== null) page = await readPage(next);
  }
  yield `],"totalEvents":${total}}`;
}
