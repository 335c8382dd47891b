import { Worker } from 'node:worker_threads';

/**
 * The embedded PostgreSQL (PGlite) in a thread of its own. It runs one batch at a time. Only `kill` stops a batch before its end.
 */
export interface Engine {
  readonly serverVersion: string;
  /**
   * Runs a batch: messages of PostgreSQL's protocol up to a Sync, a Flush, a Query, a CopyDone or a CopyFail. Calls `onData` with
   * each piece of the response.
   * @returns how long the batch ran, in milliseconds
   * @throws EngineError if the engine has failed, or was killed
   */
  run(batch: Uint8Array, onData: (piece: Uint8Array) => void): Promise<number>;
  /** Ends the thread at once. As after a crash, the next start keeps what was committed. */
  kill(): Promise<void>;
  /** Writes a checkpoint, then ends the thread. */
  close(): Promise<void>;
}

/** The folder of the database, or none for a database in memory. */
export interface EngineOptions {
  readonly dataDir?: string;
}

/** Says why the engine has ended, with the codes of the operating system or of WebAssembly. */
export class EngineError extends Error {
  constructor({ message, ...codes }: { message: string; name?: string; code?: string; errno?: number }) {
    super(message);
    Object.assign(this, codes);
  }
}

/**
 * The messages of the thread: first the version, then for each batch the pieces of its response. The last piece also marks the end
 * of the batch. It is empty if the batch has no response.
 */
type EngineMessage = Uint8Array | { readonly last: Uint8Array; readonly ranMs: number } | { readonly serverVersion: string };

interface Failure {
  readonly failure: ConstructorParameters<typeof EngineError>[0];
}

/** @throws EngineError if the database cannot be opened */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const thread = new Worker(new URL('./engine-thread.mjs', import.meta.url), { workerData: options, execArgv: [] });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  let end: EngineError | null = null;
  let receive: (message: EngineMessage) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  // The first reason is kept, so that a later call tells why the engine has ended.
  const onEnd = (error: EngineError) => {
    end ??= error;
    fail(end);
  };
  thread.on('message', (message: EngineMessage | Failure) =>
    'failure' in message ? onEnd(new EngineError(message.failure)) : receive(message),
  );
  thread.on('error', ({ name, message }: Error) => onEnd(new EngineError({ name, message })));
  thread.on('exit', () => onEnd(new EngineError({ message: 'The thread of the embedded database has ended.' })));

  /**
   * Waits for the last message of a call. `onMessage` returns the result of the call, or undefined while more messages follow.
   */
  const waitFor = <T>(onMessage: (message: EngineMessage) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      if (end !== null) return reject(end);
      fail = reject;
      receive = (message) => {
        const result = onMessage(message);
        if (result !== undefined) resolve(result);
      };
    });

  const serverVersion = await waitFor((message) => ('serverVersion' in message ? message.serverVersion : undefined));
  // A running batch keeps the process alive until it ends, even if its client has disconnected. An idle engine does not.
  thread.unref();
  return {
    serverVersion,
    async run(batch, onData) {
      thread.ref();
      thread.postMessage(batch);
      return waitFor((message) => {
        const piece = message instanceof Uint8Array ? message : 'last' in message ? message.last : null;
        if (piece !== null && piece.length > 0) onData(piece);
        return 'ranMs' in message ? message.ranMs : undefined;
      }).finally(() => thread.unref());
    },
    async kill() {
      end ??= new EngineError({ message: 'The embedded database was stopped.' });
      await thread.terminate();
    },
    async close() {
      thread.ref();
      thread.postMessage('close');
      await ended;
    },
  };
}
