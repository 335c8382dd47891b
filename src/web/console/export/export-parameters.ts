import type { EventFilter, EventType } from '../../../generated/console/graphql.js';
import { toGraphqlName } from '../filter/filter-variables.js';
import { KNOWN_TYPES } from '../sentences/describe-event.js';

/** A filter as query parameters of the export and of the feed, or the reason why these parameters cannot express the filter. */
export type RestParameters = { readonly parameters: URLSearchParams } | { readonly problem: string };

/** The list fields of `EventFilter`, each with the name of its REST parameter. */
const LISTS = [
  ['features', 'feature'],
  ['projects', 'project'],
  ['typeNames', 'type'],
  ['createdByNames', 'createdByName'],
  ['environments', 'environment'],
  ['ids', 'id'],
] as const;

/** Matches values that a REST list cannot have: REST splits a list at commas, trims its values, and rejects line breaks. */
const CANNOT_BE_LISTED = /,|[\r\n]|^\s|\s$|^$/;

/** Returns the known types that the filter excludes because `types` lacks them. The names are as on the wire. */
function listExcluded(types: readonly EventType[]): readonly string[] {
  const included = new Set(types);
  return KNOWN_TYPES.filter((type) => !included.has(toGraphqlName(type)));
}

/** Converts the result of `toEventFilter` to query parameters of the export and of the feed. */
export function toRestParameters(filter: EventFilter): RestParameters {
  const parameters = new URLSearchParams();
  if (filter.types != null) parameters.set('type', `IS_NONE_OF:${listExcluded(filter.types).join(',')}`);
  for (const [field, name] of LISTS) {
    const values = filter[field];
    if (values == null) continue;
    if (values.length === 0) return { problem: 'This filter matches nothing.' };
    const texts = values.map(String);
    const wrong = texts.find((text) => CANNOT_BE_LISTED.test(text));
    if (wrong !== undefined)
      return {
        problem: `The export and the feed cannot filter by “${wrong}”: it is empty, has a comma or a line break, or begins or ends with a blank.`,
      };
    parameters.set(name, `${texts.length === 1 ? 'IS' : 'IS_ANY_OF'}:${texts.join(',')}`);
  }
  for (const name of ['since', 'until', 'query'] as const) {
    const value = filter[name];
    if (value != null) parameters.set(name, value);
  }
  return { parameters };
}

/** Writes a curl command that exports the events of a filter, with the token from the environment variable GATEWAY_TOKEN. */
export function toCurl(url: string, parameters: URLSearchParams): string {
  const address = `${url}?${parameters}`.replaceAll("'", '%27');
  return `curl --fail --header "authorization: $GATEWAY_TOKEN" '${address}'`;
}

/** Writes a GraphQL operation for an IDE, with its variables in a comment above it. */
export function toGraphql(document: string, variables: object): string {
  const lines = JSON.stringify(variables, null, 2).split('\n');
  return `${lines.map((line, index) => (index === 0 ? `# Variables: ${line}` : `# ${line}`)).join('\n')}\n${document.trim()}\n`;
}
