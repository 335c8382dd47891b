import { useCallback, useMemo } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import type { ConsoleFilter } from '../filter/console-filter.js';
import { readFilter, writeFilter } from '../filter/filter-url.js';
import { ROOT, urlOf } from './root.js';
import { parsePath, printPath, type Route } from './routes.js';

/** The page and the filter of the current URL. */
export function usePage(): { readonly route: Route; readonly filter: ConsoleFilter } {
  const pathname = usePathname();
  const search = useSearch();
  const route = useMemo(() => parsePath(pathname.slice(ROOT.pathname.length)), [pathname]);
  const filter = useMemo(() => readFilter(search), [search]);
  return { route, filter };
}

/** The URL of a page with a filter, without the origin. */
export function hrefOf(route: Route, filter?: ConsoleFilter): string {
  const search = filter === undefined ? '' : writeFilter(filter);
  return urlOf(printPath(route)) + (search === '' ? '' : `?${search}`);
}

export interface GoOptions {
  /** Whether the page replaces the current entry of the browser history. By default, the page adds an entry. */
  readonly replace?: boolean;
}

export function go(route: Route, filter?: ConsoleFilter, options: GoOptions = {}): void {
  navigate(hrefOf(route, filter), options);
}

/** Returns a function that applies a filter to the event list. On a page without a filter, the function goes to the timeline. */
export function useSetFilter(): (filter: ConsoleFilter, options?: GoOptions) => void {
  const { route } = usePage();
  const hasFilter = route.page === 'timeline' || route.page === 'event';
  return useCallback((filter, options) => go(hasFilter ? route : { page: 'timeline' }, filter, options), [route, hasFilter]);
}
