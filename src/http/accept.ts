/** One range of the header `accept`, in lower case. */
export interface MediaRange {
  /** A type such as `text/html`, or a range of types such as `text/*`. */
  readonly range: string;
  /** The parameters of the range, such as `charset=utf-8`, without quotes. */
  readonly parameters: readonly string[];
  /** The preference of the client, from 0 to 1. The client does not accept a range with 0. */
  readonly quality: number;
}

/** The number of ranges that are read. Browsers send fewer than ten. */
const MAX_RANGES = 50;

/**
 * Parses the header `accept` (RFC 9110, section 12.5.1), or `accept-encoding`. A client without the header accepts any type.
 * @returns the ranges by descending quality, then in the order of the header. A quality that is not a number counts as 0.
 */
export function parseAccept(accept: string | undefined): MediaRange[] {
  const ranges = (accept?.trim() || '*/*').split(',', MAX_RANGES).map(parseRange);
  return ranges.sort((a, b) => b.quality - a.quality);
}

function parseRange(text: string): MediaRange {
  const [range = '', ...parameters] = text
    .toLowerCase()
    .replaceAll('"', '')
    .split(';')
    .map((part) => part.trim());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1');
  return { range, parameters, quality: Math.max(0, Math.min(1, quality)) || 0 };
}
