import { ChevronDown, Download, Link2 } from 'lucide-react';
import { useState } from 'react';
import { ConsoleEventsDocument } from '../../../generated/console/graphql.js';
import { toFailure } from '../api/gateway-failure.js';
import { CopyButton } from '../event/copy-button.js';
import { downloadExport, type ExportFormat } from '../export/download.js';
import { toCurl, toGraphql, toRestParameters } from '../export/export-parameters.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { toEventFilter } from '../filter/filter-variables.js';
import { freezeFilter } from '../filter/relative-time.js';
import { ROOT } from '../navigation/root.js';
import { hrefOf } from '../navigation/use-page.js';
import { useSession } from '../session/session.js';
import { Menu } from '../states/menu.js';
import { PAGE_SIZE } from './page-window.js';

interface SearchLinksProps {
  readonly filter: ConsoleFilter;
  readonly total: number | null;
}

/** Offers the events of the filter as a link, a file, a command or a GraphQL operation. */
export function SearchLinks({ filter, total }: SearchLinksProps) {
  const link = () => location.origin + hrefOf({ page: 'timeline' }, freezeFilter(filter, new Date()));
  return (
    <>
      <CopyButton text={link} label="Copy link to this view" sign={<Link2 aria-hidden size={16} />} isLabeled shortcut="c" />
      <ExportMenu filter={filter} total={total} />
    </>
  );
}

type Outcome = { readonly kind: 'running' | 'done' | 'failed'; readonly text: string };

function ExportMenu({ filter, total }: SearchLinksProps) {
  const { token } = useSession();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const now = new Date();
  const variables = toEventFilter(filter, now);
  const exported = toRestParameters(variables);
  const count = total === null ? 'the events' : total === 1 ? '1 event' : `${total.toLocaleString('en')} events`;
  const download = (format: ExportFormat) => {
    if (!('parameters' in exported)) return;
    setOutcome({ kind: 'running', text: `Exporting ${count}…` });
    downloadExport(exported.parameters, format, token).then(
      (events) =>
        setOutcome({ kind: 'done', text: `Exported ${events.toLocaleString('en')} ${events === 1 ? 'event' : 'events'}` }),
      (thrown: unknown) => setOutcome({ kind: 'failed', text: toFailure(thrown).message }),
    );
  };
  const graphql = () => toGraphql(ConsoleEventsDocument.toString(), { filter: variables, first: PAGE_SIZE });
  return (
    <>
      <Menu
        label={
          <>
            <Download aria-hidden size={16} /> Export <ChevronDown aria-hidden size={14} />
          </>
        }
      >
        {'parameters' in exported ? (
          <>
            <button
              type="button"
              className="button is-quiet"
              disabled={outcome?.kind === 'running'}
              onClick={() => download('ndjson')}
            >
              {capitalize(count)} as NDJSON
            </button>
            <button
              type="button"
              className="button is-quiet"
              disabled={outcome?.kind === 'running'}
              onClick={() => download('csv')}
            >
              {capitalize(count)} as CSV
            </button>
            <CopyButton
              text={() => toCurl(new URL('v1/events/export', ROOT).href, exported.parameters)}
              label="Copy as curl"
              isLabeled
            />
          </>
        ) : (
          <p className="muted">{exported.problem}</p>
        )}
        <CopyButton text={graphql} label="Copy as GraphQL" isLabeled />
      </Menu>
      <span className={outcome?.kind === 'failed' ? 'field-failure' : 'muted'} role="status">
        {outcome?.text}
      </span>
    </>
  );
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
