import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The packages of both collectors, and the libraries that they need beyond those of a small Debian. */
const PACKAGES = ['syslog-ng-core', 'rsyslog', 'libivykis0', 'libnet1', 'libwrap0', 'libestr0', 'libfastjson4', 'liblognorm5'];

const LIBRARY_FOLDERS = [
  'lib/x86_64-linux-gnu',
  'lib/aarch64-linux-gnu',
  'usr/lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'usr/lib/syslog-ng',
];

/**
 * Downloads the packages and unpacks them into a new folder. They are not installed, because each of the two replaces the log
 * daemon of the machine.
 * @returns {{root: string, env: Record<string, string>}} the folder, and the environment in which its programs find their libraries
 */
export function unpackCollectors() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-debian-'));
  execFileSync('apt-get', ['download', ...PACKAGES], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const root = path.join(folder, 'root');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', name, root], { cwd: folder });
  }
  return { root, env: { LD_LIBRARY_PATH: LIBRARY_FOLDERS.map((name) => path.join(root, name)).join(':') } };
}
