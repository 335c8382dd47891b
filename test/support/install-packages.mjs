import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folder for packages that a check needs and the project does not. It is outside of the repository, and kept between runs. */
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'flag-admin-gateway');

/** Whether an installation is complete. @param {string} folder */
const isInstalled = (folder) => existsSync(path.join(folder, 'installed'));

/**
 * Installs packages from npm into a folder of the cache, unless they are installed already. Their install scripts do not run. Several
 * processes can install the same packages at the same time: each has a folder of its own, and the first one that is complete stays.
 * @param {string} name of the folder
 * @param {readonly string[]} packages with their versions
 * @returns {string} the path of the folder
 */
export function installPackages(name, packages) {
  const folder = path.join(CACHE, name);
  if (isInstalled(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(path.join(CACHE, `${name}-`));
  try {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', made, ...options, ...packages], {
      cwd: made,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    mkdirSync(path.join(made, 'installed'));
    moveTo(folder, made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

/** Moves an installation to its place, unless another process has been faster. @param {string} folder @param {string} made */
function moveTo(folder, made) {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (isInstalled(folder)) return;
    if (!existsSync(folder)) throw error;
    // The folder is left over from an interrupted installation.
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  }
}

/**
 * Installs a version of Node.js, which npm has as a package for Linux on x64 and arm64.
 * @param {string} version such as `22`, for its newest release
 * @returns {string | null} the path of `node`, or null on another platform
 */
export function installNode(version) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
  const name = `node-linux-${process.arch}`;
  return path.join(installPackages(`node-${version}`, [`${name}@${version}`]), 'node_modules', name, 'bin/node');
}
