import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { ConsoleFilter } from '../filter/console-filter.js';
import type { Route } from './routes.js';
import { hrefOf } from './use-page.js';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: Route;
  readonly filter?: ConsoleFilter | undefined;
}

/**
 * A link to a page of the console. A click shows the page without loading a document. The browser handles a click with a
 * modifier key, which opens a new tab, for example.
 */
export function Link({ to, filter, onClick, ...rest }: LinkProps) {
  const href = hrefOf(to, filter);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
