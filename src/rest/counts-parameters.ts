import { Problems } from '../errors.js';
import {
  COUNT_INTERVALS,
  checkCountsRequest,
  DEFAULT_TIME_ZONE,
  DEFAULT_TOP,
  EVENT_DIMENSIONS,
} from '../event-counts/event-counts.js';
import type { EventCountsQueryVariables } from '../generated/graphql/graphql.js';
import { FILTERS, parseFilter, parseNumber, type RawParameters, readOnce, refuseUnknown } from './filter-parameters.js';

const KNOWN = [...FILTERS, 'by', 'interval', 'timeZone', 'top'];

/**
 * Parses the query parameters of the counts into variables of their GraphQL document.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseCountsParameters(raw: RawParameters): EventCountsQueryVariables {
  const problems = new Problems();
  refuseUnknown(raw, KNOWN, problems);
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value | null => {
    const given = readOnce(raw, name, problems);
    const value = values.find((each) => each === given);
    if (given !== undefined && value === undefined) problems.add(name, `must be one of ${values.join(', ')}`);
    return value ?? null;
  };
  const request = {
    by: oneOf('by', EVENT_DIMENSIONS),
    interval: oneOf('interval', COUNT_INTERVALS),
    timeZone: readOnce(raw, 'timeZone', problems) ?? DEFAULT_TIME_ZONE,
    top: parseNumber(readOnce(raw, 'top', problems), DEFAULT_TOP),
  };
  checkCountsRequest(request, problems);
  const filter = parseFilter(raw, problems);
  problems.throwIfAny();
  return { filter, ...request };
}
