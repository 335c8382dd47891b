import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, OUTPUT_DIR } from './bundle.mjs';

const TEMPLATE = fileURLToPath(new URL('index.html', import.meta.url));

const { files, names } = await bundle();
const assets = path.join(OUTPUT_DIR, 'assets');
await mkdir(assets, { recursive: true });
for (const { name, contents } of files) await writeFile(path.join(assets, name), contents);
await writeFile(path.join(OUTPUT_DIR, 'index.html'), await renderPage());
// Files of an earlier build are removed last, so that a running gateway keeps its console until then.
const written = new Set(files.map(({ name }) => name));
for (const name of await readdir(assets)) if (!written.has(name)) await rm(path.join(assets, name), { recursive: true });

/** Returns index.html with the names of its files. The gateway fills in the other placeholders. */
async function renderPage() {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('%ICON%', names.icon).replace('%STYLE%', names.style).replace('%SCRIPT%', names.script);
}
