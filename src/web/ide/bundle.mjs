import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));
const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
export const OUTPUT_DIR = fileURLToPath(new URL('../../../dist/web/ide', import.meta.url));

/** Bundles the IDE. @returns {Promise<{files: {path: string, contents: Uint8Array}[], packages: string[]}>} what to write, and the folders of the packages in it */
export async function bundle() {
  // Loaded only here: the build runs at each start, and most times there is nothing to do.
  const { build } = await import('esbuild');
  // The workers must be of the very Monaco that GraphiQL brings along, which need not be on the top level of node_modules.
  const requireFromGraphiql = createRequire(createRequire(import.meta.url).resolve('graphiql/package.json'));
  const graphiqlReact = requireFromGraphiql.resolve('@graphiql/react/package.json');
  const requireFromGraphiqlReact = createRequire(graphiqlReact);
  const workingDir = path.dirname(graphiqlReact);
  const common = {
    // Where the names of `alias` are looked for.
    absWorkingDir: workingDir,
    outdir: OUTPUT_DIR,
    bundle: true,
    minify: true,
    target: 'es2022',
    logLevel: 'warning',
    write: false,
    metafile: true,
  };

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
  const built = await Promise.all([scripts, styles, icon]);
  return {
    files: built.flatMap(({ outputFiles }) => outputFiles.flatMap(withCompressed)),
    packages: [
      ...new Set(
        built.flatMap(({ metafile }) =>
          Object.keys(metafile.inputs).flatMap((input) => toPackageFolder(path.resolve(workingDir, input))),
        ),
      ),
    ],
  };
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

/** The folder of a module's package, from that of this project on; none for what belongs to the project itself. */
function toPackageFolder(module) {
  return /^node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path.relative(ROOT_DIR, module)) ?? [];
}
