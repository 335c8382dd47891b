import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { toTimeZone, type ZoneChoice } from '../time/time-zone.js';

const STORAGE_KEY = 'flag-admin-gateway:time-zone';

interface ZonePreference {
  /** The name of the zone in the IANA time zone database. */
  readonly timeZone: string;
  readonly choice: ZoneChoice;
  readonly choose: (choice: ZoneChoice) => void;
}

const ZoneContext = createContext<ZonePreference>({ timeZone: 'UTC', choice: 'utc', choose: () => undefined });

/** Provides the time zone in which all times are shown. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  const [choice, setChoice] = useState<ZoneChoice>(() => (localStorage.getItem(STORAGE_KEY) === 'utc' ? 'utc' : 'local'));
  const preference = useMemo<ZonePreference>(
    () => ({
      timeZone: toTimeZone(choice),
      choice,
      choose(next) {
        localStorage.setItem(STORAGE_KEY, next);
        setChoice(next);
      },
    }),
    [choice],
  );
  return <ZoneContext value={preference}>{children}</ZoneContext>;
}

export const useZone = (): ZonePreference => use(ZoneContext);
