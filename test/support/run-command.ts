import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../../src/cli/program.js';
import { reportFailure } from '../../src/cli/report-failure.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Thrown in place of ending the process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

let isRunning = false;

/** Runs one command to its end within this process, with nothing in its environment but `env`. Starting a process takes a second of CPU. */
export async function runCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  stdin: string | Buffer = '',
): Promise<CommandResult> {
  if (isRunning) throw new Error('Two commands cannot run in this process at once. Use spawnCommand.');
  isRunning = true;
  const output = { stdout: '', stderr: '' };
  const collectInto = (name: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write(text: string | Uint8Array, _, done) {
        output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
        done();
      },
    });
  const restore = replaceProcess({
    env: { PATH: process.env.PATH, ...env },
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: collectInto('stdout'),
    stderr: collectInto('stderr'),
    exitCode: undefined,
    exit: (code: number) => {
      throw new Exit(code);
    },
  });
  try {
    await createProgram().parseAsync(['node', 'flag-admin-gateway', ...args]);
    return { code: 0, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    reportFailure(error);
    return { code: Number(process.exitCode ?? 0), ...output };
  } finally {
    isRunning = false;
    restore();
  }
}

/** @returns a function that restores the properties of `process` */
function replaceProcess(properties: Readonly<Record<string, unknown>>): () => void {
  const original = Object.keys(properties).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [name, descriptor] of original) {
      if (descriptor === undefined) Reflect.deleteProperty(process, name);
      else Object.defineProperty(process, name, descriptor);
    }
  };
}

/** Runs one command of the built gateway to its end in a process of its own, with nothing in its environment but `env`. */
export function spawnCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  stdin: string | Buffer = '',
): Promise<CommandResult> {
  const child = startCommand(env, args);
  // A command that ends without reading leaves the pipe broken.
  child.stdin?.on('error', () => undefined).end(stdin);
  return waitForResult(child);
}

/** Waits for the end of a command. @returns what it wrote to pipes of this process */
export async function waitForResult(child: ChildProcess): Promise<CommandResult> {
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: output.stdout, stderr: output.stderr };
}

export interface ServingProcess {
  readonly url: string;
  /** What it printed so far. */
  readonly stdout: string;
  readonly firstAdminToken: string | undefined;
  /** @returns the exit code, null if the signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `serve` on a free port and waits until it says that it is ready. */
export async function startServing(env: Readonly<Record<string, string>>): Promise<ServingProcess> {
  const child = startCommand({ PORT: '0', GRAPHIQL: 'false', ...env }, ['serve']);
  const output = collect(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const ready = /is ready at (\S+)\n[\s\S]*openapi\.json\)\n([ ].*\n)*(\n.*\n)?\n/.exec(output.stderr);
      if (ready?.[1]) resolve(ready[1]);
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${output.stdout}${output.stderr}`)));
  });
  return {
    url,
    get stdout() {
      return output.stdout;
    },
    firstAdminToken: /Admin API token, shown this once: (\S+)/.exec(output.stderr)?.[1],
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close') as Promise<[number | null]>;
      child.kill(signal);
      return (await closed)[0];
    },
  };
}

interface StartOptions {
  /** By default, a pipe to this process. */
  readonly stdout?: 'pipe' | number;
  /** The most kilobytes that a file may have, as if the disk had no more. */
  readonly maxFileKilobytes?: number;
}

/** Starts one command of the built gateway, with nothing in its environment but `env`. */
export function startCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  { stdout = 'pipe', maxFileKilobytes }: StartOptions = {},
): ChildProcess {
  const command = [process.execPath, '--liftoff-only', 'dist/main.js', ...args];
  const limited =
    maxFileKilobytes === undefined
      ? command
      : ['bash', '--norc', '-c', `ulimit -f ${maxFileKilobytes}; exec "$@"`, '', ...command];
  return spawn(limited[0] ?? '', limited.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', stdout, 'pipe'],
    // This is shorter than the time limit of a test, so that a hanging command fails with its output and does not keep running.
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return output;
}
