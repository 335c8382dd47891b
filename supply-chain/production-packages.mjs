import { readFileSync } from 'node:fs';
import { bundle as bundleConsole } from '../src/web/console/bundle.mjs';
import { bundle as bundleIde } from '../src/web/ide/bundle.mjs';

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string | undefined} license an SPDX expression
 */

/**
 * Lists the packages in the container, from package-lock.json. Excludes packages for development only, and optional ones.
 * Prisma's command line and the compiler are optional peers of Prisma's client.
 * @returns {Package[]}
 */
export function listProductionPackages() {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
    .map(([path, { name, version, license }]) => ({ name: name ?? nameOf(path), version, license }));
}

/**
 * Lists the packages that are bundled into the IDE and the console, with the versions installed in node_modules.
 * @returns {Promise<Package[]>}
 */
export async function listBundledPackages() {
  const bundles = await Promise.all([bundleIde(), bundleConsole()]);
  const folders = new Set(bundles.flatMap(({ packages }) => packages));
  return [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(new URL(`../${folder}/package.json`, import.meta.url), 'utf8'));
    return { name, version, license };
  });
}

/** @type {(path: string) => string} */
function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
