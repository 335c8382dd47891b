import { InvitePage } from './invite/invite-page.js';
import type { Route } from './navigation/routes.js';
import { UnknownPage } from './states/unknown-page.js';
import { SubjectPage } from './subject/subject-page.js';
import { TimelinePage } from './timeline/timeline-page.js';

/** Shows the page of a route. `timeline` and `event` share a component, so the timeline keeps its state when an event opens. */
export function Pages({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'timeline':
      return <TimelinePage openId={null} />;
    case 'event':
      return <TimelinePage openId={route.id} />;
    case 'flag':
    case 'project':
    case 'person':
      return <SubjectPage key={`${route.page} ${route.name}`} kind={route.page} name={route.name} />;
    case 'invite':
      return <InvitePage />;
    default:
      return <UnknownPage />;
  }
}
