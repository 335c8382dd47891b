import { useEffect, useState } from 'react';

/** Nothing is shown during a shorter wait, because a flash of placeholders disturbs more than it tells. */
const DELAY_MS = 150;

/** Whether `isWaiting` has been true for `DELAY_MS`. */
export function useDelayed(isWaiting: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isShown;
}
