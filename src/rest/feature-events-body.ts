import { toJson } from '../json-text.js';

/** A page of a flag's events, newest first, as they are on the wire. */
export interface WirePage {
  readonly events: readonly object[];
  /** Null on the last page. */
  readonly next: string | null;
}

/** The body of spec 4.1 in pieces, each of one page of which the first is there: however many events, no more than one page is held. */
export async function* writeFeatureEvents(
  toggleName: string,
  first: WirePage,
  readPage: (after: string) => Promise<WirePage>,
): AsyncGenerator<string> {
  yield `{"version":1,"toggleName":${toJson(toggleName)},"events":[`;
  let total = 0;
  for (let page: WirePage | null = first; page; page = page.next === null ? null : await readPage(page.next)) {
    const events = page.events.map(toJson).join(',');
    if (events !== '') yield total === 0 ? events : `,${events}`;
    total += page.events.length;
  }
  yield `],"totalEvents":${total}}`;
}
