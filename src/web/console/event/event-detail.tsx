import type { ReactNode } from 'react';
import type { ConsoleEventQuery } from '../../../generated/console/graphql.js';
import type { ConsoleFilter, ListField } from '../filter/console-filter.js';
import { Link } from '../navigation/link.js';
import type { Route } from '../navigation/routes.js';
import { isKnownType } from '../sentences/describe-event.js';
import { Sentence } from '../sentences/sentence.js';
import { EventSign } from '../timeline/event-kind.js';
import { TimeText } from '../timeline/time-text.js';
import { ChangeList } from './change-list.js';
import { ExcludeType, FilterToggle } from './filter-toggle.js';
import { JsonBlock } from './json-block.js';

export type DetailedEvent = NonNullable<ConsoleEventQuery['event']>;

interface EventDetailProps {
  readonly event: DetailedEvent;
  readonly filter: ConsoleFilter;
}

/** One event: its changes first, then its properties, then its payloads. */
export function EventDetail({ event, filter }: EventDetailProps) {
  return (
    <div className="event-detail">
      <p className="detail-sentence">
        <EventSign typeName={event.typeName} /> <Sentence event={event} hasLinks />
      </p>
      <p className="muted">
        <TimeText instant={event.createdAt} form="full" /> (<TimeText instant={event.createdAt} form="relative" />)
      </p>
      <ChangeList event={event} />
      <Properties event={event} filter={filter} />
      {event.data != null && <JsonBlock title="Data" value={event.data} />}
      {event.preData != null && <JsonBlock title="Before" value={event.preData} />}
      <JsonBlock title="Whole event" value={event} isClosed />
    </div>
  );
}

function Properties({ event, filter }: EventDetailProps) {
  const { createdBy, createdByUserId, environment, featureName, project, tags, typeName } = event;
  return (
    <dl className="properties">
      <Property name="Type" field="types" value={typeName} filter={filter} />
      <Property name="By" field="people" value={createdBy} filter={filter} to={{ page: 'person', name: createdBy }}>
        {createdByUserId != null && <span className="muted"> user {createdByUserId}</span>}
      </Property>
      {featureName != null && (
        <Property name="Flag" field="flags" value={featureName} filter={filter} to={{ page: 'flag', name: featureName }} />
      )}
      {project != null && (
        <Property name="Project" field="projects" value={project} filter={filter} to={{ page: 'project', name: project }} />
      )}
      {environment != null && <Property name="Environment" field="environments" value={environment} filter={filter} />}
      {tags.length > 0 && (
        <div>
          <dt>Tags</dt>
          <dd>{tags.map(({ type, value }) => `${type}:${value}`).join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

interface PropertyProps {
  readonly name: string;
  readonly field: ListField;
  readonly value: string;
  readonly filter: ConsoleFilter;
  /** The page with the history of the value. */
  readonly to?: Route;
  readonly children?: ReactNode;
}

function Property({ name, field, value, filter, to, children }: PropertyProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {to ? <Link to={to}>{value}</Link> : <span>{value}</span>}
        {children}
        <FilterToggle filter={filter} term={{ field, value }} />
        {field === 'types' && isKnownType(value) && <ExcludeType filter={filter} value={value} />}
      </dd>
    </div>
  );
}
