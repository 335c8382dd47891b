import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** Hooks for `module.register`. The random inputs come from generators of the tests, which are TypeScript. */

/** Resolves imports of `.js` files in TypeScript to the `.ts` sources. @type {import('node:module').ResolveHook} */
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
