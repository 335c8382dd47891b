import { encodeParts } from '../formats/json-body.js';
import { type JsonList, toJson } from '../formats/json-text.js';

/** A page of a flag's events in the wire format, newest first. */
export interface WirePage {
  readonly events: JsonList;
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

export interface FeatureEventsBody {
  readonly pieces: AsyncGenerator<Buffer, void>;
  /** Whether the last piece has been read. */
  readonly isComplete: () => boolean;
}

/**
 * Writes the body of spec 4.1 in pieces of one page each. While a slow client reads a piece, only the bytes of the piece are in
 * memory. A suspended generator keeps what its variables refer to, and none of them refers to the page.
 */
export function writeFeatureEvents(toggleName: string, readPage: (after: string | null) => Promise<WirePage>): FeatureEventsBody {
  let written: { total: number; next: string | null } | null = null;
  const readPiece = async (): Promise<Buffer> => {
    const parts = written ? [] : [`{"version":1,"toggleName":${toJson(toggleName)},"events":[`];
    const before = written?.total ?? 0;
    const { events, next } = await readPage(written?.next ?? null);
    for (const [index, item] of events.toItems().entries()) parts.push(before + index === 0 ? item : `,${item}`);
    written = { total: before + events.length, next };
    if (next === null) parts.push(`],"totalEvents":${written.total}}`);
    return encodeParts(parts);
  };
  const isComplete = () => written?.next === null;
  async function* readPieces(): AsyncGenerator<Buffer, void> {
    while (!isComplete()) yield await readPiece();
  }
  return { pieces: readPieces(), isComplete };
}
