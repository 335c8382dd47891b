import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** Hooks for `module.register`: what is sent at random comes from the generators of the tests, which are TypeScript. */

/** In TypeScript, an import names the file that a compiler would write. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const isOfTypeScript = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOfTypeScript ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), { loader: 'ts', sourcefile: url });
  return { format: 'module', source: code, shortCircuit: true };
}
