import { useEffect, useState } from 'react';
import { describeCount, describeLive } from './live-state.js';
import type { Live } from './use-live.js';
import type { LiveList } from './use-live-list.js';

interface LiveButtonProps {
  readonly live: Live;
  readonly list: LiveList;
}

/** Turns live events on and off, and shows the state of the stream. */
export function LiveButton({ live: { state, isOn, toggle }, list: { isPaused } }: LiveButtonProps) {
  const now = useSeconds(state.connection.kind === 'behind');
  const text = describeLive(state, isPaused, now);
  const { connection } = state;
  return (
    <>
      <button
        type="button"
        className="button is-quiet live-button"
        aria-pressed={isOn}
        aria-keyshortcuts="l"
        title={connection.kind === 'refused' ? connection.reason : 'Live events (l)'}
        onClick={toggle}
      >
        <span className="live-dot" data-kind={isPaused && connection.kind === 'open' ? 'paused' : connection.kind} aria-hidden />
        {text}
      </button>
      <span className="visually-hidden" role="status">
        {text}
      </span>
    </>
  );
}

interface NewEventsPillProps extends LiveButtonProps {
  readonly onShow: () => void;
}

/** A button that shows the events that arrived while the user was reading. */
export function NewEventsPill({ live: { state }, list: { isPaused }, onShow }: NewEventsPillProps) {
  const count = state.waiting.size;
  if (!isPaused || count === 0) return null;
  return (
    <button type="button" className="button is-primary new-events" aria-keyshortcuts="n" title="Show them (n)" onClick={onShow}>
      {describeCount(state.waiting)} new {count === 1 ? 'event' : 'events'}
    </button>
  );
}

/** Returns the present time, which changes every second while `isCounting`. */
function useSeconds(isCounting: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}
