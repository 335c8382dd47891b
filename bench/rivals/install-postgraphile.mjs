import { installNode, installPackages } from '../../test/support/install-packages.mjs';
import { repositoryFile } from '../child.mjs';

export const POSTGRAPHILE_VERSION = '5.1.5';

/** PostGraphile 5 does not run on Node.js 20. */
const NODE = '24';

/**
 * Installs PostGraphile and the Node.js that it runs on into a cache folder, unless they are installed already.
 * @param {(progress: string) => void} tell
 * @returns {string[] | null} the command that starts it; null if this machine cannot install it
 */
export function installPostgraphile(tell) {
  try {
    const isNewEnough = Number(process.versions.node.split('.')[0]) >= Number(NODE);
    const node = installNode(NODE) ?? (isNewEnough ? process.execPath : null);
    if (node === null) throw new Error(`npm has no Node.js ${NODE} for this platform.`);
    const folder = installPackages(`postgraphile-${POSTGRAPHILE_VERSION}`, [`postgraphile@${POSTGRAPHILE_VERSION}`]);
    return [node, repositoryFile('bench/rivals/postgraphile.mjs'), folder];
  } catch (error) {
    tell(`PostGraphile is not measured, because it cannot be installed: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
