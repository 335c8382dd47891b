import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folder for packages that a check needs and the project does not. It is outside of the repository, and kept between runs. */
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'flag-admin-gateway');

/**
 * Installs packages from npm into a folder of the cache, unless they are installed already. Their install scripts do not run.
 * @param {string} name of the folder
 * @param {readonly string[]} packages with their versions
 * @returns {string} the path of the folder
 */
export function installPackages(name, packages) {
  const folder = path.join(CACHE, name);
  if (!existsSync(path.join(folder, 'installed'))) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', folder, ...options, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    mkdirSync(path.join(folder, 'installed'));
  }
  return folder;
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
