import type { ChangeKind } from '../events/changes/change-list.js';
import type { JsonList } from '../formats/json-text.js';
import { findRawElements, findRawValues } from '../formats/raw-json.js';
import { cutText } from '../formats/text.js';
import { escapeInvisible, quote, writeEvent } from './event-text.js';
import type { AgentEvent, Change, EventPage } from './schemas.js';

/** The limit of a result's events as text, in characters. Claude Code warns about results of more than 10,000 tokens. */
const MAX_LENGTH = 20_000;

const MAX_CHANGES = 20;
const MAX_VALUE = 300;
const MAX_STATE = 600;
/** The longest name, once it is quoted and escaped. Names of flags, projects and people are shorter. */
const MAX_NAME = 300;

/** A page of the document AgentEvents. */
interface QueriedPage {
  readonly totalCount: number;
  readonly edges: JsonList;
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** Returns as many events of a page as a model should read at once, at least the first. The next page begins with the others. */
export function toEventPage({ totalCount, edges, pageInfo }: QueriedPage): EventPage {
  const events: AgentEvent[] = [];
  let cursor = '';
  let length = 0;
  for (const edge of edges.toItems()) {
    const raw = membersOf(edge);
    const event = toAgentEvent(raw['node'] ?? '');
    length += writeEvent(event).length;
    if (length > MAX_LENGTH && events.length > 0) break;
    events.push(event);
    cursor = JSON.parse(raw['cursor'] ?? '');
  }
  const hasMore = events.length < edges.length || pageInfo.hasNextPage;
  return { total: totalCount, events, ...(hasMore && { nextCursor: cursor }) };
}

/** Converts an event for a model. Omits null fields to save tokens. Includes the states only if the changes are not known. */
function toAgentEvent(json: string): AgentEvent {
  const raw = membersOf(json);
  const text = (name: string) => (isNull(raw[name]) ? undefined : cutName(JSON.parse(raw[name])));
  const state = (name: string) => (isNull(raw[name]) ? undefined : toValue(raw[name], MAX_STATE));
  const { complete, items = '[]' } = membersOf(raw['changes'] ?? 'null');
  const changes = findRawElements(items) ?? [];
  return withoutAbsent({
    id: Number(raw['id']),
    createdAt: text('createdAt') ?? '',
    type: text('type') ?? '',
    createdBy: text('createdBy') ?? '',
    environment: text('environment'),
    project: text('project'),
    featureName: text('featureName'),
    ...(changes.length === 0 && complete !== 'true'
      ? { preData: state('preData'), data: state('data') }
      : {
          changes: changes.slice(0, MAX_CHANGES).map(toChange),
          moreChanges: complete !== 'true' || changes.length > MAX_CHANGES ? true : undefined,
        }),
  });
}

function toChange(json: string): Change {
  const { kind: rawKind, pointer, before = 'null', after = 'null' } = membersOf(json);
  const kind = JSON.parse(rawKind ?? '') as ChangeKind;
  return withoutAbsent({
    kind,
    pointer: cutName(JSON.parse(pointer ?? '')),
    before: kind === 'ADDED' ? undefined : toValue(before, MAX_VALUE),
    after: kind === 'REMOVED' ? undefined : toValue(after, MAX_VALUE),
  });
}

/** The most characters that one UTF-16 unit becomes when it is escaped, such as `\u200b`. */
const MAX_ESCAPE_LENGTH = 6;

/** Cuts a name so that it has at most `MAX_NAME` characters in quotes. */
export function cutName(name: string): string {
  let cut = cutText(name, MAX_NAME - 2);
  for (let excess = quote(cut).length - MAX_NAME; excess > 0; excess = quote(cut).length - MAX_NAME)
    cut = cutText(name, cut.length - Math.ceil(excess / MAX_ESCAPE_LENGTH));
  return cut;
}

/** Returns the raw JSON of each member of an object, since parsing would round long numbers. */
function membersOf(json: string): Readonly<Record<string, string>> {
  return Object.fromEntries((findRawValues(json) ?? []).map(({ key, start, end }) => [key, json.slice(start, end)]));
}

function isNull(json: string | undefined): json is 'null' | undefined {
  return json === undefined || json === 'null';
}

/** Escapes and cuts JSON text. Cuts it before escaping, to escape less text, and again after, because escapes make it longer. */
function toValue(json: string, length: number): string {
  return cutText(escapeInvisible(cutText(json, length)), length);
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function withoutAbsent<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
