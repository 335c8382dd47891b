/** The input of the tool `get_flag_events` of Unleash's MCP server. */
export interface FlagEventsInput {
  readonly featureName: string;
  readonly projectId?: string;
  readonly environment?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** The number of events that the tool requests by default. */
const DEFAULT_LIMIT = 20;

/** Returns the path that the tool requests (https://github.com/Unleash/unleash-mcp): all filters with the operator IS. */
export function flagEventsPath({ featureName, projectId, limit = DEFAULT_LIMIT, offset, ...others }: FlagEventsInput): string {
  const filters = Object.entries({ feature: featureName, project: projectId, ...others });
  const parameters = new URLSearchParams({ ...(offset !== undefined && { offset: String(offset) }), limit: String(limit) });
  for (const [name, value] of filters) if (value !== undefined) parameters.set(name, `IS:${value}`);
  return `/api/admin/search/events?${parameters}`;
}
