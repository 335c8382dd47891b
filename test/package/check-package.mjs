import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode } from '../support/install-packages.mjs';
import { smokeTest } from './smoke-test.mjs';

/**
 * Packs the package, and installs it into an empty folder as a user would. Runs commands and the demo there, on this Node.js, on
 * the oldest that the package supports, and on the newer release lines.
 */
const NODE_VERSIONS = ['20.19.0', '22', '24'];

/** Development packages that npm would install, if one of them became a dependency. */
const DEVELOPMENT = ['prisma', 'typescript', 'jest', 'graphiql'];

/** The files of a checkout that an installation reads. */
const CHECKOUT = ['build.mjs', 'package.json', 'package-lock.json', 'prisma', 'prisma.config.ts', 'src', 'tsconfig.json'];

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'gateway-package-'));
/** @type {(program: string, args: string[], options?: import('node:child_process').ExecFileSyncOptions) => string} */
const run = (program, args, options) =>
  String(execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26, ...options }));

try {
  const file = packAndCheckFiles();
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', path.join(folder, file)]);
  const installed = run('npm', ['ls', '--all', '--parseable']).split('\n');
  for (const name of DEVELOPMENT) {
    if (installed.some((line) => line.endsWith(`/node_modules/${name}`))) throw new Error(`The package installs ${name}.`);
  }

  for (const node of [process.execPath, ...newNodes()]) {
    checkEngines(node);
    const command = ['node_modules/flag-admin-gateway/dist/main.js'];
    await smokeTest({ node, folder, command, version }, 'demo');
    process.stdout.write(`${file} serves on Node.js ${run(node, ['--version']).trim()}.\n`);
  }
  checkProductionInstallation();
  const printed = run('npx', ['flag-admin-gateway', '--version']).trim();
  if (printed !== version) throw new Error(`npx flag-admin-gateway --version printed ${printed}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs the package, and checks that it contains the target of each link in its README. Returns the name of the file. */
function packAndCheckFiles() {
  // The package is built already. Building it again would change the files of gateways that other tests run.
  const options = ['--json', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', ...options], { cwd: REPOSITORY }));
  /** @type {string[]} */
  const packed = files.map((/** @type {{ path: string }} */ { path }) => path);
  const readme = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, link = '']) => link);
  const needed = [...links, 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs/grants.sql', 'dist/web/ide/index.html'];
  const missing = needed.filter((name) => !packed.some((file) => file === name || file.startsWith(`${name}/`)));
  if (links.length === 0 || missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  const secret = packed.filter((name) => /(^|\/)(\.env|data\/|\.build-digest|\.tsbuildinfo)/.test(name));
  if (secret.length > 0) throw new Error(`The package contains ${secret.join(', ')}.`);
  return filename;
}

function newNodes() {
  const nodes = NODE_VERSIONS.map(installNode).filter((node) => node !== null);
  if (nodes.length === 0) {
    process.stdout.write(`Skipped Node.js ${NODE_VERSIONS.join(', ')}: npm has them as packages for Linux on x64 only.\n`);
  }
  return nodes;
}

/** Checks that `npm ci --omit=dev` succeeds in a checkout, and that it and `npm start` tell how to build the project. */
function checkProductionInstallation() {
  const checkout = mkdtempSync(path.join(folder, 'checkout-'));
  for (const name of CHECKOUT) cpSync(path.join(REPOSITORY, name), path.join(checkout, name), { recursive: true });
  rmSync(path.join(checkout, 'src/generated/prisma'), { recursive: true, force: true });
  for (const [command, expected] of /** @type {const} */ ([
    ['npm ci --omit=dev --no-audit --no-fund', 0],
    ['npm start', 1],
  ])) {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: checkout, encoding: 'utf8' });
    if (status !== expected || !stderr.includes('Run `npm ci` to install and build everything.')) {
      throw new Error(`${command} exited with ${status}, and printed ${stderr}`);
    }
  }
  if (existsSync(path.join(checkout, 'dist'))) throw new Error('npm ci --omit=dev left an incomplete build.');
}

/**
 * Throws if npm warns about a package of package-lock.json that does not support the Node.js.
 * @param {string} node
 */
function checkEngines(node) {
  const copy = mkdtempSync(path.join(folder, 'lock-'));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(path.join(REPOSITORY, file), path.join(copy, file));
  const command = 'npm ci --dry-run --ignore-scripts --no-audit --no-fund --loglevel=warn 2>&1';
  // `npm` is a script that takes `node` from the path.
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  const output = run('sh', ['-c', command], { cwd: copy, env });
  const unsupported = [...output.matchAll(/EBADENGINE +package: '(.*)'/g)].map(([, name]) => name);
  if (unsupported.length > 0) throw new Error(`${node} is not supported by ${[...new Set(unsupported)].join(', ')}.`);
  if (!/^added \d+ packages/m.test(output)) throw new Error(`npm ci --dry-run printed ${output.slice(-500)}`);
}
