import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCE_DIR = fileURLToPath(new URL('.', import.meta.url));
const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
export const OUTPUT_DIR = fileURLToPath(new URL('../../../dist/web/console', import.meta.url));

/**
 * Bundles the console. Each name contains a hash of the contents, so that browsers may keep a file for good.
 * @returns {Promise<{files: {name: string, contents: Uint8Array}[], names: {script: string, style: string, icon: string}, packages: string[]}>}
 * the files, the names of those that the page links to, and the bundled packages
 */
export async function bundle() {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT_DIR,
    entryPoints: ['main.tsx', 'style.css', 'icon.svg'].map((name) => path.join(SOURCE_DIR, name)),
    outdir: OUTPUT_DIR,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    target: 'es2022',
    // The settings of a package's own tsconfig.json do not count.
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx' } },
    loader: { '.svg': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    write: false,
    metafile: true,
  });
  const files = outputFiles.map((file) => ({ name: path.basename(file.path), contents: file.contents }));
  const find = (pattern) => files.find(({ name }) => pattern.test(name))?.name ?? '';
  return {
    files: files.flatMap(withCompressed),
    names: { script: find(/^main-.*\.js$/), style: find(/\.css$/), icon: find(/\.svg$/) },
    packages: [...new Set(Object.keys(metafile.inputs).flatMap(toPackageFolder))],
  };
}

/** Adds a compressed copy of each text file, which the server sends instead. */
function withCompressed({ name, contents }) {
  return /\.(js|css)$/.test(name)
    ? [
        { name, contents },
        { name: `${name}.gz`, contents: gzipSync(contents, { level: 9 }) },
      ]
    : [{ name, contents }];
}

/** Returns the folder of a module's package, relative to this project. Empty for modules of the project itself. */
function toPackageFolder(module) {
  return /^node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(module) ?? [];
}
