import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { listProductionPackages } from '../../supply-chain/production-packages.mjs';
import { installNode } from '../support/install-packages.mjs';
import { smokeTest } from './smoke-test.mjs';

/**
 * Assembles the files of the image without Docker, by the instructions of the Dockerfile, in a temporary folder. Measures the
 * packages, and starts the gateway from the folder: the demo, and `serve` on the PostgreSQL server of TEST_DATABASE_URL.
 * The repository takes the place of the stage `build`, because it is built from the same sources.
 */
const MAX_PACKAGES_MB = 120;

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8'));
const { TEST_DATABASE_URL } = process.env;
if (!TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL is not set. Run this check with `npm run test:image`.');
const folder = mkdtempSync(path.join(tmpdir(), 'gateway-image-'));

try {
  const app = assemble();
  const packages = path.join(app, 'node_modules');
  checkPackages(packages);
  const { component } = JSON.parse(
    execFileSync('npm', ['run', '-s', 'sbom'], { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 2 ** 27 }),
  ).metadata;
  if (component.version !== version) throw new Error(`The SBOM has version ${component.version}.`);
  const megabytes = Math.round((Number.parseInt(execFileSync('du', ['-sk', packages], { encoding: 'utf8' }), 10) * 1024) / 1e6);
  if (megabytes > MAX_PACKAGES_MB) throw new Error(`The packages have ${megabytes} MB; at most ${MAX_PACKAGES_MB} are allowed.`);

  const node = installNode('22') ?? process.execPath;
  const installation = { node, folder: app, command: ['--max-semi-space-size=32', 'dist/main.js'], version };
  await smokeTest({ ...installation, env: { NODE_ENV: 'production', DATA_DIR: path.join(folder, 'data') } }, 'demo');
  // No collector listens there. With the variable, the gateway loads the packages that trace.
  const env = { NODE_ENV: 'production', DATABASE_URL: TEST_DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  await smokeTest({ ...installation, env }, 'serve');
  process.stdout.write(`The image has ${megabytes} MB of packages, and serves.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Carries out the instructions of each stage but `build`. Returns the working folder of the last stage. */
function assemble() {
  let stage = '';
  let workdir = '';
  /** @type {(stage: string, absolute: string) => string} */
  const locate = (stage, absolute) =>
    stage === 'build' ? path.join(REPOSITORY, path.posix.relative('/build', absolute)) : path.join(folder, stage, absolute);
  const dockerfile = DockerfileParser.parse(readFileSync(path.join(REPOSITORY, 'Dockerfile'), 'utf8'));
  const stages = new Map(dockerfile.getFROMs().map((from) => [from.getRange().start.line, from.getBuildStage() ?? 'image']));
  const copies = new Map(dockerfile.getCOPYs().map((copy) => [copy.getRange().start.line, copy]));
  for (const instruction of dockerfile.getInstructions()) {
    const { line } = instruction.getRange().start;
    stage = stages.get(line) ?? stage;
    if (stage === 'build') continue;
    const keyword = instruction.getKeyword();
    const text = instruction.getArgumentsContent() ?? '';
    if (keyword === 'WORKDIR') {
      workdir = locate(stage, text);
      mkdirSync(workdir, { recursive: true });
    } else if (keyword === 'RUN') {
      execFileSync('sh', ['-c', text], { cwd: workdir, stdio: ['ignore', 'ignore', 'inherit'] });
    } else if (keyword === 'COPY') {
      const from = copies.get(line)?.getFromFlag()?.getValue();
      const sources = instruction.getArguments().map((argument) => argument.getValue());
      const target = sources.pop() ?? '';
      for (const source of sources) {
        const file = from ? locate(from, source) : path.join(REPOSITORY, source);
        cpSync(file, path.join(workdir, target, target.endsWith('/') ? path.basename(file) : ''), { recursive: true });
      }
    }
  }
  return workdir;
}

/**
 * Throws unless the installed packages are those that the list of licenses and the SBOM are made from.
 * @param {string} folder
 */
function checkPackages(folder) {
  const { packages } = JSON.parse(readFileSync(path.join(folder, '.package-lock.json'), 'utf8'));
  const installed = new Set(
    Object.entries(packages).map(([place, { name, version }]) => `${name ?? place.split('node_modules/').at(-1)}@${version}`),
  );
  const listed = new Set(listProductionPackages().map(({ name, version }) => `${name}@${version}`));
  const different = [...installed].filter((one) => !listed.has(one)).concat([...listed].filter((one) => !installed.has(one)));
  if (different.length > 0) throw new Error(`Only in the image, or only in the list of packages: ${different.join(', ')}.`);
}
