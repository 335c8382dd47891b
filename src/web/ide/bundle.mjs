import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));
const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
export const OUTPUT_DIR = fileURLToPath(new URL('../../../dist/web/ide', import.meta.url));

/**
 * Bundles the IDE.
 * @returns {Promise<{files: {path: string, contents: Uint8Array}[], packages: string[]}>} the files, and the bundled packages
 */
export async function bundle() {
  // esbuild is loaded only here, because build.mjs runs at each start and rarely bundles.
  const { build } = await import('esbuild');
  // The workers must come from the copy of Monaco that GraphiQL uses, which may be below the top level of node_modules.
  const requireFromGraphiql = createRequire(createRequire(import.meta.url).resolve('graphiql/package.json'));
  const graphiqlReact = requireFromGraphiql.resolve('@graphiql/react/package.json');
  const requireFromGraphiqlReact = createRequire(graphiqlReact);
  const workingDir = path.dirname(graphiqlReact);
  const common = {
    // The names in `alias` are resolved from this folder.
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
    // GraphiQL imports these parsers by old names, which resolve to CommonJS with only a default export. Prettifying would fail.
    alias: { 'prettier/parser-babel': 'prettier/plugins/babel', 'prettier/parser-graphql': 'prettier/plugins/graphql' },
    // Monaco's modules import their styles one by one. graphiql/style.css contains all of them.
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
 * Moves the embedded fonts of GraphiQL's style sheet into files. The content security policy `font-src 'self'` forbids embedded
 * fonts, and they add 0.4 MB for every user. A browser loads only the few font files it needs.
 */
function unpackFonts({ onResolve, onLoad }) {
  onResolve({ filter: /^data:font\// }, ({ path: dataUrl }) => {
    const [, extension, base64] = /^data:font\/(\w+);base64,(.*)$/s.exec(dataUrl);
    const bytes = Buffer.from(base64, 'base64');
    return { namespace: 'font', path: `${createHash('sha256').update(bytes).digest('hex')}.${extension}`, pluginData: bytes };
  });
  onLoad({ filter: /./, namespace: 'font' }, ({ pluginData }) => ({ contents: pluginData, loader: 'file' }));
}

/** Adds a compressed copy of each text file, which the server sends instead: 1.5 MB instead of 5 MB. */
function withCompressed(file) {
  return /\.(js|css)$/.test(file.path) ? [{ path: `${file.path}.gz`, contents: gzipSync(file.contents) }, file] : [file];
}

/** Returns the folder of a module's package, relative to this project. Empty for modules of the project itself. */
function toPackageFolder(module) {
  return /^node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path.relative(ROOT_DIR, module)) ?? [];
}
