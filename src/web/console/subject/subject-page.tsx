import { useMemo, useState } from 'react';
import { toEventFilter } from '../filter/filter-variables.js';
import { Link } from '../navigation/link.js';
import { SearchLinks } from '../timeline/search-links.js';
import { TimelineBody, TimelineSummary } from '../timeline/timeline-body.js';
import type { TimesInView } from '../timeline/times-in-view.js';
import { useSummary } from '../timeline/use-summary.js';
import { useTimeline } from '../timeline/use-timeline.js';
import { Breakdowns } from './breakdowns.js';
import { FirstAndLast } from './first-and-last.js';
import { FlagConclusion } from './flag-conclusion.js';
import { BREAKDOWNS, filterOf, type Subject, WORDS } from './subject.js';

/** The history of a flag, a project or a person. */
export function SubjectPage({ kind, name }: Subject) {
  const filter = useMemo(() => filterOf({ kind, name }), [kind, name]);
  const variables = useMemo(() => toEventFilter(filter, new Date()), [filter]);
  const [inView, setInView] = useState<TimesInView | null>(null);
  const timeline = useTimeline(filter);
  const summary = useSummary(timeline);
  return (
    <main className="page subject">
      <header>
        <p className="muted">{WORDS[kind]}</p>
        <h1>{name}</h1>
      </header>
      {kind === 'flag' && <FlagConclusion name={name} />}
      <FirstAndLast variables={variables} filter={filter} />
      <Breakdowns breakdowns={BREAKDOWNS[kind]} variables={variables} filter={filter} />
      <section className="subject-history" aria-label="History">
        <TimelineSummary summary={summary} filter={filter} inView={inView}>
          <Link to={{ page: 'timeline' }} filter={filter} className="button">
            Filter these events
          </Link>
          <SearchLinks filter={filter} total={summary.counts?.total ?? null} />
        </TimelineSummary>
        <TimelineBody
          timeline={timeline}
          filter={filter}
          openId={null}
          total={summary.counts?.total ?? null}
          onView={setInView}
        />
      </section>
    </main>
  );
}
