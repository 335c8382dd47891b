import { recordedEvents, recordedLines, type WireEvent } from './recorded-log.js';

/** A recorded event with the raw JSON texts of its line. They are null where the line has `null`. */
export interface LoggedEvent extends WireEvent {
  readonly rawData: string | null;
  readonly rawPreData: string | null;
  readonly rawTags: string | null;
}

export type TextField = 'DATA' | 'PRE_DATA' | 'TAGS';

/** The filter of the GraphQL API. Fields that are left out match every event. */
export interface LogFilter {
  readonly query?: string | undefined;
  readonly searchIn?: readonly TextField[] | undefined;
  readonly features?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly typeNames?: readonly string[] | undefined;
  readonly createdByUserIds?: readonly number[] | undefined;
  readonly createdByNames?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const LINE = /^\{"id" : (?<id>\d+), .*, "data" : (?<data>.*), "preData" : (?<preData>.*), "tags" : (?<tags>.*)\}$/;

const rawById = new Map(
  recordedLines.map((line) => {
    const { id, data = '', preData = '', tags = '' } = LINE.exec(line)?.groups ?? {};
    if (id === undefined) throw new Error(`A line of the recorded log has another form than the others: ${line}`);
    return [Number(id), { rawData: textOrNull(data), rawPreData: textOrNull(preData), rawTags: textOrNull(tags) }] as const;
  }),
);

function textOrNull(raw: string): string | null {
  return raw === 'null' ? null : raw;
}

/** The recorded log, newest first. */
export const loggedEvents: readonly LoggedEvent[] = recordedEvents.map((event) => {
  const raw = rawById.get(event.id);
  if (raw === undefined) throw new Error(`There is no line of event ${event.id}.`);
  return { ...event, ...raw };
});

/** Finds the recorded events that match, newest first, by comparing each of them. */
export function filterLog(filter: LogFilter): LoggedEvent[] {
  const { ids, features, projects, typeNames, createdByUserIds, createdByNames, environments } = filter;
  const { from, to, since, until, query, searchIn = ['DATA'] } = filter;
  return loggedEvents.filter((event) => {
    const day = event.createdAt.slice(0, 10);
    return (
      isAnyOf(event.id, ids) &&
      isAnyOf(event.featureName, features) &&
      isAnyOf(event.project, projects) &&
      isAnyOf(event.type, typeNames) &&
      isAnyOf(event.createdByUserId, createdByUserIds) &&
      isAnyOf(event.createdBy, createdByNames) &&
      isAnyOf(event.environment, environments) &&
      (from === undefined || day >= from) &&
      (to === undefined || day <= to) &&
      (since === undefined || event.createdAt >= since) &&
      (until === undefined || event.createdAt < until) &&
      (query === undefined || query === '' || searchIn.some((field) => contains(textOf(event, field), query)))
    );
  });
}

function isAnyOf<T>(value: T | null, values: readonly T[] | undefined): boolean {
  return values === undefined || (value !== null && values.includes(value));
}

function textOf({ rawData, rawPreData, rawTags }: LoggedEvent, field: TextField): string | null {
  return { DATA: rawData, PRE_DATA: rawPreData, TAGS: rawTags }[field];
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}
