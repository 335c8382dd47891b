import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { GatewayFailure } from '../api/gateway-failure.js';

interface FailureNoticeProps {
  readonly failure: GatewayFailure;
  /** The subject of the sentence, such as "The events". */
  readonly what: string;
  readonly onRetry: () => void;
}

/** Statuses after which the console retries by itself: the gateway is overloaded, unavailable or not reached. */
const TEMPORARY = new Set([0, 429, 502, 503, 504]);
const RETRY_SECONDS = 3;

/** Shows an error in place of the content that could not be loaded. Retries by itself after a temporary failure. */
export function FailureNotice({ failure, what, onRetry }: FailureNoticeProps) {
  const isTemporary = TEMPORARY.has(failure.status);
  const seconds = useCountdown(isTemporary ? (failure.retryAfterSeconds ?? RETRY_SECONDS) : null, failure, onRetry);
  return (
    <div className="notice is-failure" role="alert">
      <CircleAlert aria-hidden size={18} />
      <div>
        <p>
          <strong>{what} could not be loaded.</strong> {failure.message}
        </p>
        {failure.logId !== null && (
          <p className="muted">
            Id in the log of the gateway: <code>{failure.logId}</code>
          </p>
        )}
        <p>
          <button type="button" className="button" onClick={onRetry}>
            Retry
          </button>
          {seconds !== null && <span className="muted" aria-hidden>{` Next attempt in ${seconds} s`}</span>}
        </p>
      </div>
    </div>
  );
}

/** Counts down and then calls `onEnd`. Returns the seconds that are left, or null without a countdown. */
function useCountdown(from: number | null, failure: GatewayFailure, onEnd: () => void): number | null {
  const [left, setLeft] = useState({ failure, seconds: from });
  const seconds = left.failure === failure ? left.seconds : from;
  // Callers pass a new function at each rendering, which must not restart the timer.
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (seconds === null) return;
    if (seconds <= 0) {
      setLeft({ failure, seconds: null });
      return latest.current();
    }
    const timer = setTimeout(() => setLeft({ failure, seconds: seconds - 1 }), 1_000);
    return () => clearTimeout(timer);
  }, [seconds, failure]);
  return seconds === null ? null : Math.max(0, seconds);
}
