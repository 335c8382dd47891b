import { useState } from 'react';
import type { EventFilter } from '../../../generated/console/graphql.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { BreakdownTable } from './breakdown-table.js';
import { ALL_BREAKDOWNS, type Breakdown } from './subject.js';

interface BreakdownsProps {
  readonly breakdowns: readonly Breakdown[];
  readonly variables: EventFilter;
  readonly filter: ConsoleFilter;
}

/** Tables of the numbers of events, one for each property. */
export function Breakdowns({ breakdowns, variables, filter }: BreakdownsProps) {
  return (
    <div className="breakdowns">
      {breakdowns.map((breakdown) => (
        <BreakdownTable key={breakdown.by} breakdown={breakdown} variables={variables} filter={filter} />
      ))}
    </div>
  );
}

/** The tables of the list of events, which are counted once somebody opens them. */
export function FoldedBreakdowns({ variables, filter }: Omit<BreakdownsProps, 'breakdowns'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="folded-breakdowns" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Numbers by type, person, flag, project and environment</summary>
      {isOpen && <Breakdowns breakdowns={ALL_BREAKDOWNS} variables={variables} filter={filter} />}
    </details>
  );
}
