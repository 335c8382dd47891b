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

/** Shows one table for each property. A table has the number of events for each value of its property. */
export function Breakdowns({ breakdowns, variables, filter }: BreakdownsProps) {
  return (
    <div className="breakdowns">
      {breakdowns.map((breakdown) => (
        <BreakdownTable key={breakdown.by} breakdown={breakdown} variables={variables} filter={filter} />
      ))}
    </div>
  );
}

/** The tables above the list of events. Their numbers are requested only when a user opens the tables. */
export function FoldedBreakdowns({ variables, filter }: Omit<BreakdownsProps, 'breakdowns'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="folded-breakdowns" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Numbers by type, person, flag, project and environment</summary>
      {isOpen && <Breakdowns breakdowns={ALL_BREAKDOWNS} variables={variables} filter={filter} />}
    </details>
  );
}
