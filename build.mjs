// Builds the project. With --if-changed, it does so only if the last build was made from other sources.
// With --if-possible, it succeeds without building if the packages for development are not installed.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = import.meta.dirname;

const SOURCES = ['src', 'prisma/schema.prisma', 'prisma.config.ts', 'tsconfig.json', 'package-lock.json', 'build.mjs'];

/** The Prisma client is an output, although it is below `src`. */
const GENERATED = 'src/generated/prisma';

const OUTPUTS = [
  'dist/main.js',
  'dist/new-database.tar.gz',
  'dist/web/ide/index.html',
  'dist/web/console/index.html',
  `${GENERATED}/client.ts`,
];

/** The digest of the sources of the last complete build. */
const DIGEST_FILE = path.join(ROOT, 'dist/.build-digest');

/** Packages that build the project. `npm ci --omit=dev` leaves out some of them. */
const BUILD_PACKAGES = ['prisma', 'typescript', 'esbuild', 'graphiql'];

const STEPS = [
  'prisma generate --no-hints',
  'tsc',
  'node src/database/embedded/pack-new-database.mjs',
  'node src/web/ide/build.mjs',
  'node src/web/console/build.mjs',
];

// The digest is taken before the build, so that a source that is edited meanwhile causes another build.
const digest = digestSources();
const missing = BUILD_PACKAGES.filter((name) => !existsSync(path.join(ROOT, 'node_modules', name)));
const isBuilt = isBuiltFrom(digest);
if (missing.length > 0) {
  if (!isBuilt) explainMissing();
} else if (!isBuilt || !process.argv.includes('--if-changed')) {
  rmSync(DIGEST_FILE, { force: true });
  for (const step of STEPS) run(step);
  writeFileSync(DIGEST_FILE, digest);
}

function explainMissing() {
  process.stderr.write(
    `Cannot build the project, because these packages are not installed: ${missing.join(', ')}.\n` +
      'Run `npm ci` to install and build everything. `npm prune --omit=dev --omit=optional` then removes what only the build needs.\n',
  );
  process.exitCode = process.argv.includes('--if-possible') ? 0 : 1;
}

function isBuiltFrom(digest) {
  const isComplete = OUTPUTS.every((output) => existsSync(path.join(ROOT, output)));
  return isComplete && existsSync(DIGEST_FILE) && readFileSync(DIGEST_FILE, 'utf8') === digest;
}

/** Hashes contents instead of comparing times, because a restored or copied file can be older than the build. */
function digestSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(listFiles).sort()) {
    const contents = readFileSync(path.join(ROOT, file));
    hash.update(`${file}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
}

/** Lists the file, or all files below the folder, by their paths from the root. */
function listFiles(source) {
  if (path.extname(source) !== '') return [source];
  return readdirSync(path.join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith(`${GENERATED}/`));
}

/** Runs a command of the project's packages. Its output is shown only if it fails, since Prisma prints what it reads. */
function run(command) {
  const bin = path.join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
  try {
    execSync(command, { cwd: ROOT, env, stdio: 'pipe' });
  } catch ({ stdout, stderr, status }) {
    process.stderr.write(stdout);
    process.stderr.write(stderr);
    process.exit(status ?? 1);
  }
}
