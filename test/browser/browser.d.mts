import type { Browser } from 'playwright-core';

/** Starts the Chromium at the path in CHROMIUM (default: Debian's), with its background traffic turned off. */
export function startBrowser(args?: readonly string[]): Promise<Browser>;
