import { readFileSync } from 'node:fs';

/** An event as REST returns it, and as a line of the recorded log contains it. */
export interface WireEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly environment: string | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly data: unknown;
  readonly preData: unknown;
  readonly tags: readonly { type: string; value: string }[];
}

const text = readFileSync(new URL('../recorded/event-log.ndjson', import.meta.url), 'utf8');

export const recordedLines: readonly string[] = text.trimEnd().split('\n');

/** The recorded log, newest first; of events with the same time, the higher id first. REST returns null tags as an empty list. */
export const recordedEvents: readonly WireEvent[] = recordedLines
  .map((line) => JSON.parse(line) as WireEvent)
  .map((event) => ({ ...event, tags: event.tags ?? [] }))
  .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id);

export const recordedById: ReadonlyMap<number, WireEvent> = new Map(recordedEvents.map((event) => [event.id, event]));
