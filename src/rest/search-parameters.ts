import { Problems } from '../errors.js';
import { checkOffsetPage, DEFAULT_LIMIT } from '../events/event-page.js';
import type { SearchEventsQueryVariables } from '../generated/graphql/graphql.js';
import {
  DOCUMENTED_FILTERS,
  normalizeName,
  parseDocumentedFilter,
  parseNumber,
  type RawParameters,
  readOnce,
  refuseMisspelledNames,
} from './filter-parameters.js';

const KNOWN = [...DOCUMENTED_FILTERS, 'offset', 'limit'];

/**
 * Parses the query parameters of the event search into variables of its GraphQL document. Ignores unknown parameters, but rejects
 * a known parameter in another form: if such a filter were ignored, the response would be the whole log.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseSearchParameters(raw: RawParameters): SearchEventsQueryVariables {
  const problems = new Problems();
  refuseMisspelledNames(raw, KNOWN, problems);
  refuseGroups(raw, problems);
  const page = {
    offset: parseNumber(readOnce(raw, 'offset', problems), 0),
    limit: parseNumber(readOnce(raw, 'limit', problems), DEFAULT_LIMIT),
  };
  const filter = parseDocumentedFilter(raw, problems);
  checkOffsetPage(page, problems);
  problems.throwIfAny();
  return { filter, ...page };
}

/** Rejects `groupId`, a filter of Unleash 8 and later. Events of this log have no groups. */
function refuseGroups(raw: RawParameters, problems: Problems): void {
  for (const given of Object.keys(raw)) {
    if (normalizeName(given) === 'groupid')
      problems.add(given, 'is not supported, because the events of this log have no groups');
  }
}
