import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, OUTPUT_DIR } from './bundle.mjs';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));
const LOCK_FILE = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));

const page = await renderPage();
if (page !== (await readFile(path.join(OUTPUT_DIR, 'index.html'), 'utf8').catch(() => ''))) {
  const { files } = await bundle();
  await writeOutput([...files, { path: path.join(OUTPUT_DIR, 'index.html'), contents: page }]);
}

/** Returns index.html with a digest of everything the bundle is made from. The bundle is rebuilt only if the digest changes. */
async function renderPage() {
  const sources = (await readdir(SOURCE_DIR)).sort().map((name) => path.join(SOURCE_DIR, name));
  const digest = createHash('sha256');
  for (const file of [...sources, LOCK_FILE]) digest.update(path.basename(file)).update(await readFile(file));
  const template = await readFile(path.join(SOURCE_DIR, 'index.html'), 'utf8');
  return template.replace('%BUILD%', digest.digest('hex').slice(0, 16));
}

/**
 * Replaces the files one by one, so that a running gateway keeps its IDE. The page must be the last of `files`, because its
 * digest shows that the others are complete.
 */
async function writeOutput(files) {
  for (const { path: file, contents } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  const written = new Set(files.map((file) => file.path));
  for (const entry of await readdir(OUTPUT_DIR, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
}
