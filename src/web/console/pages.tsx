import { InvitePage } from './invite/invite-page.js';
import type { Route } from './navigation/routes.js';
import { UnknownPage } from './states/unknown-page.js';
import { SubjectPage } from './subject/subject-page.js';
import { TimelinePage } from './timeline/timeline-page.js';

/** The page of a route. An event opens beside the timeline, which keeps its state. */
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
