import { chromium } from 'playwright-core';

/** @param {readonly string[]} args more options of Chromium */
export function startBrowser(args = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Chromium's sandbox does not work as root, which is the user of most containers.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}
