import type { Browser } from 'playwright-core';

/** Starts the Chromium at CHROMIUM, by default Debian's, without traffic of its own. */
export function startBrowser(): Promise<Browser>;
