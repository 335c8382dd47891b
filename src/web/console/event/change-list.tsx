import type { DetailedEvent } from './event-detail.js';

type Change = NonNullable<DetailedEvent['changes']>['items'][number];

const SIGNS = { ADDED: '+', REMOVED: '−', CHANGED: '~', MOVED: '↕' } as const;
const WORDS = { ADDED: 'Added', REMOVED: 'Removed', CHANGED: 'Changed', MOVED: 'Moved' } as const;

/** Lists what an event changed, or says why this is unknown. */
export function ChangeList({ event }: { readonly event: DetailedEvent }) {
  const { changes } = event;
  if (!changes) return <p className="notice is-quiet">{describeMissing(event)}</p>;
  if (changes.items.length === 0 && changes.complete) {
    return <p className="notice is-quiet">The state before and after this event is the same.</p>;
  }
  return (
    <section aria-label="Changes">
      <h3>What changed</h3>
      <ul className="changes">
        {changes.items.map((change) => (
          <ChangeItem key={`${change.kind} ${change.pointer}`} change={change} />
        ))}
      </ul>
      {!changes.complete && <p className="muted">Not all changes are listed: see the data below.</p>}
    </section>
  );
}

function ChangeItem({ change: { kind, path, before, after } }: { readonly change: Change }) {
  return (
    <li data-kind={kind}>
      <span className="change-sign" title={WORDS[kind]}>
        <span aria-hidden>{SIGNS[kind]}</span>
        <span className="visually-hidden">{WORDS[kind]}</span>
      </span>
      <span className="change-path">{path.length === 0 ? 'the whole document' : path.join(' › ')}</span>
      <span className="change-values">
        {kind !== 'ADDED' && <del>{print(before)}</del>}
        {(kind === 'CHANGED' || kind === 'MOVED') && (
          <>
            <span aria-hidden> → </span>
            <span className="visually-hidden"> to </span>
          </>
        )}
        {kind !== 'REMOVED' && <ins>{print(after)}</ins>}
      </span>
    </li>
  );
}

const print = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? 'null'));

function describeMissing({ data, preData }: DetailedEvent): string {
  if (preData != null) return 'This event has no later state to compare with the earlier one.';
  return data == null ? 'This event has no data.' : 'This event has no earlier state to compare with.';
}
