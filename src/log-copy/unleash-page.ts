import type { EventRow } from '../events/event.js';
import { findRawElements, findRawValues } from '../formats/raw-json.js';
import { parseEventLine } from './event-line.js';

/** A page of events in a response of Unleash. */
export interface UnleashPage {
  /** The events, newest first. */
  readonly events: readonly EventRow[];
  /** The number of events that match the request, on all pages. */
  readonly total: number;
}

/** Parses a page. Payloads stay unparsed, because parsing and printing would change them. @returns the page or its problem */
export function parsePage(body: string): UnleashPage | { readonly problem: string } {
  const values = findRawValues(body) ?? [];
  const read = (...names: string[]) => {
    const value = values.find(({ key }) => names.includes(key));
    return value && body.slice(value.start, value.end);
  };
  const elements = findRawElements(read('events') ?? '');
  const total = Number(read('total', 'totalEvents') ?? Number.NaN);
  if (!elements || !Number.isInteger(total)) return { problem: 'The response of Unleash is not a page of events.' };
  const events: EventRow[] = [];
  for (const element of elements) {
    const event = parseEventLine(element);
    if ('problem' in event)
      return { problem: `Event ${idOf(element)} of Unleash cannot be copied for this reason: ${event.problem}.` };
    events.push(event);
  }
  return { total, events };
}

function idOf(element: string): string {
  const id = findRawValues(element)?.find(({ key }) => key === 'id');
  return id ? element.slice(id.start, id.end) : '';
}
