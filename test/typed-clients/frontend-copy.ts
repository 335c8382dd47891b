import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['src/rest/operations.graphql', 'src/mcp/operations.graphql', 'src/web/console/console.graphql'];
const COPIED = ['package.json', 'codegen.ts', 'schema.graphql', ...DOCUMENTS, 'test/typed-clients'];

export const FRONTEND = 'test/typed-clients';

export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

/** Copies the frontend and the sources of its types to a temporary folder, applies the edits, and passes the folder to `use`. */
export async function withFrontendCopy<T>(edits: readonly Edit[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'typed-clients-'));
  try {
    for (const file of DOCUMENTS) await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    for (const file of COPIED) await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    for (const edit of edits) await apply(edit, folder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function apply({ file, from, to }: Edit, folder: string): Promise<void> {
  const target = path.join(folder, file);
  const text = await readFile(target, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  await writeFile(
    target,
    text.replace(from, () => to),
  );
}

/** Compiles the frontend of a folder with `tsc`. */
export const compile = (folder: string): Promise<Outcome> => run(folder, 'typescript/bin/tsc', '-p', `${FRONTEND}/tsconfig.json`);

/**
 * Applies each edit to a copy of its own, and compiles all copies by one call of `tsc`.
 * @returns the errors in the copy of each edit, and last those in a copy without an edit
 */
export const compileEdited = (edits: readonly Edit[]): Promise<string[]> =>
  withFrontendCopy([], async (folder) => {
    const copies: string[] = [];
    for (const [index, edit] of [...edits, null].entries()) {
      const copy = `${FRONTEND}-${index}`;
      await cp(path.join(folder, FRONTEND), path.join(folder, copy), { recursive: true });
      if (edit) await apply({ ...edit, file: edit.file.replace(FRONTEND, copy) }, folder);
      copies.push(copy);
    }
    const config = { extends: `./${FRONTEND}/tsconfig.json`, include: copies.map((copy) => `${copy}/*-client.ts`) };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { output } = await run(folder, 'typescript/bin/tsc', '-p', 'tsconfig.json');
    // The further lines of an error are indented.
    const errors = output.trimEnd().split(/\n(?! )/);
    const unknown = errors.filter((error) => !copies.some((copy) => error.startsWith(`${copy}/`)));
    if (unknown.length > 0) throw new Error(unknown.join('\n'));
    return copies.map((copy) => errors.filter((error) => error.startsWith(`${copy}/`)).join('\n'));
  });

/** Generates the types with `graphql-codegen` and the `codegen.ts` of the folder. */
export const generate = (folder: string): Promise<Outcome> => run(folder, '@graphql-codegen/cli/esm/bin.js', '--errors-only');

function run(folder: string, script: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const command = [path.join(ROOT, 'node_modules', script), ...args];
    // Leaves NODE_ENV=test out, because graphql-codegen then prints no errors.
    const env = { PATH: process.env.PATH };
    const child = execFile(process.execPath, command, { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}

/** Reads the generated files of a folder (default: the repository). @returns their texts by name */
export async function readGenerated(folder = ROOT): Promise<Record<string, string>> {
  const generated = path.join(folder, FRONTEND, 'generated');
  const names = (await readdir(generated)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(generated, name), 'utf8')])),
  );
}
