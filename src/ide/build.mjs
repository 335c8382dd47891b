import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));
const LOCK_FILE = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const OUTPUT_DIR = fileURLToPath(new URL('../../dist/ide', import.meta.url));

const page = await renderPage();
if (page !== (await readFile(path.join(OUTPUT_DIR, 'index.html'), 'utf8').catch(() => ''))) {
  await writeOutput([...(await bundle()), { path: path.join(OUTPUT_DIR, 'index.html'), contents: page }]);
}

/** index.html with a digest of all that the bundle is made from: as long as it stays the same, so does the bundle. */
async function renderPage() {
  const sources = (await readdir(SOURCE_DIR)).sort().map((name) => path.join(SOURCE_DIR, name));
  const digest = createHash('sha256');
  for (const file of [...sources, LOCK_FILE]) digest.update(path.basename(file)).update(await readFile(file));
  const template = await readFile(path.join(SOURCE_DIR, 'index.html'), 'utf8');
  return template.replace('%BUILD%', digest.digest('hex').slice(0, 16));
}

async function bundle() {
  // Loaded only here: the build runs at each start, and most times there is nothing to do.
  const { build } = await import('esbuild');
  const common = { outdir: OUTPUT_DIR, bundle: true, minify: true, target: 'es2022', logLevel: 'warning', write: false };
  // The workers must be of the very Monaco that GraphiQL brings along, which need not be on the top level of node_modules.
  const requireFromGraphiql = createRequire(createRequire(import.meta.url).resolve('graphiql/package.json'));
  const graphiqlReact = requireFromGraphiql.resolve('@graphiql/react/package.json');
  const requireFromGraphiqlReact = createRequire(graphiqlReact);

  const scripts = build({
    ...common,
    entryPoints: {
      main: path.join(SOURCE_DIR, 'main.tsx'),
      'editor.worker': requireFromGraphiqlReact.resolve('monaco-editor/esm/vs/editor/editor.worker.js'),
      'json.worker': requireFromGraphiqlReact.resolve('monaco-editor/esm/vs/language/json/json.worker.js'),
      'graphql.worker': requireFromGraphiqlReact.resolve('monaco-graphql/esm/graphql.worker.js'),
    },
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    // GraphiQL imports these by old names, which lead to CommonJS: bundled, they would have a default export alone, and no prettify works.
    alias: { 'prettier/parser-babel': 'prettier/plugins/babel', 'prettier/parser-graphql': 'prettier/plugins/graphql' },
    absWorkingDir: path.dirname(graphiqlReact),
    // Monaco's modules import their styles one by one; graphiql/style.css has them all.
    loader: { '.css': 'empty' },
  });
  const styles = build({
    ...common,
    entryPoints: [path.join(SOURCE_DIR, 'style.css')],
    assetNames: 'fonts/[hash]',
    plugins: [{ name: 'fonts as files', setup: unpackFonts }],
  });
  const icon = build({ ...common, entryPoints: [path.join(SOURCE_DIR, 'icon.svg')], loader: { '.svg': 'copy' } });
  return (await Promise.all([scripts, styles, icon])).flatMap(({ outputFiles }) => outputFiles.flatMap(withCompressed));
}

/**
 * GraphiQL's style sheet has its fonts inside, 0.4 MB that everybody would load and that `font-src 'self'` forbids. As files, a browser
 * loads the few it needs.
 */
function unpackFonts({ onResolve, onLoad }) {
  onResolve({ filter: /^data:font\// }, ({ path: dataUrl }) => {
    const [, extension, base64] = /^data:font\/(\w+);base64,(.*)$/s.exec(dataUrl);
    const bytes = Buffer.from(base64, 'base64');
    return { namespace: 'font', path: `${createHash('sha256').update(bytes).digest('hex')}.${extension}`, pluginData: bytes };
  });
  onLoad({ filter: /./, namespace: 'font' }, ({ pluginData }) => ({ contents: pluginData, loader: 'file' }));
}

/** Beside each text a compressed copy, which the server sends instead: 1.5 MB in place of 5 MB. */
function withCompressed(file) {
  return /\.(js|css)$/.test(file.path) ? [{ path: `${file.path}.gz`, contents: gzipSync(file.contents) }, file] : [file];
}

/** Writes the page last, so that its digest tells of a whole bundle, and file by file: a gateway that is running keeps its IDE. */
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
