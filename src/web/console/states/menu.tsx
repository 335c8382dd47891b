import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';

interface MenuProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** A button that shows more buttons below it. The menu closes by Escape, and when the focus moves to another element. */
export function Menu({ label, children }: MenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const closeOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
  };
  const closeOnEscape = (event: KeyboardEvent<HTMLDetailsElement>) => {
    if (event.key !== 'Escape' || !event.currentTarget.open) return;
    event.preventDefault();
    event.currentTarget.open = false;
    event.currentTarget.querySelector('summary')?.focus();
  };
  return (
    <details ref={box} className="menu" onBlur={closeOnLeave} onKeyDown={closeOnEscape}>
      <summary className="button">{label}</summary>
      <div className="menu-items">{children}</div>
    </details>
  );
}
