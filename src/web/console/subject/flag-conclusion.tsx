import { useQuery } from '@tanstack/react-query';
import { ConsoleFlagStateDocument, type EventType } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import { toFailure } from '../api/gateway-failure.js';
import { concludeFlagState } from '../flag-state/conclude-flag-state.js';
import { Link } from '../navigation/link.js';
import { useZone } from '../preferences/time-zone.js';
import { useSession } from '../session/session.js';
import { FailureNotice } from '../states/failure-notice.js';
import { filterOf } from './subject.js';

/** The types of the events that tell the state of a flag. */
const TYPES: EventType[] = [
  'FEATURE_CREATED',
  'FEATURE_ARCHIVED',
  'FEATURE_DELETED',
  'FEATURE_REVIVED',
  'FEATURE_STALE_ON',
  'FEATURE_STALE_OFF',
  'FEATURE_ENVIRONMENT_ENABLED',
  'FEATURE_ENVIRONMENT_DISABLED',
];

/** The state of a flag as far as the log tells, with links to the events that show it. */
export function FlagConclusion({ name }: { readonly name: string }) {
  const { token } = useSession();
  const { timeZone } = useZone();
  const { data, error, refetch } = useQuery({
    queryKey: ['flag state', name],
    queryFn: ({ signal }) => runDocument(ConsoleFlagStateDocument, { flags: [name], types: TYPES }, { token, signal }),
  });
  if (error) return <FailureNotice failure={toFailure(error)} what="The state of the flag" onRetry={() => void refetch()} />;
  if (!data) return <p className="conclusion"> </p>;
  const { sentence, basedOn } = concludeFlagState(data.events.nodes, { timeZone });
  return (
    <p className="conclusion">
      {sentence}
      {basedOn.length > 0 && (
        <span className="muted">
          {' '}
          Based on {basedOn.length === 1 ? 'event' : 'events'}{' '}
          {basedOn.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={{ page: 'event', id }} filter={filterOf({ kind: 'flag', name })}>
                {id}
              </Link>
            </span>
          ))}
          .
        </span>
      )}
    </p>
  );
}
