import { type Engine, EngineError } from './engine.js';
import { isInTransaction, ROLLBACK } from './protocol.js';

/** A batch of protocol messages from a client. The batch waits for the engine or runs on it. */
interface Job {
  readonly client: object;
  readonly batch: Uint8Array;
  readonly timeoutMs: number;
  readonly onData: (piece: Uint8Array) => void;
  readonly resolve: (ranMs: number) => void;
  readonly reject: (error: Error) => void;
}

/** Says why a batch was stopped or could not start. The code is an SQLSTATE. */
export class StoppedError extends Error {
  constructor(
    readonly code: '57014' | '57P01' | '57P02' | '57P03',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const TIMED_OUT = () => new StoppedError('57014', 'canceling statement due to statement timeout');
const CANCELED = () => new StoppedError('57014', 'canceling statement due to user request');
const CLOSED = () => new StoppedError('57P01', 'the process with the embedded database is ending');

/** How long a batch may go on after a cancel request. Only a restart of the engine stops a batch, and that delays all clients. */
const CANCEL_AFTER_MS = 500;

/**
 * A queue of batches for the engine, which several clients share. While a client has an open transaction, only its batches run,
 * because all clients share one session of PostgreSQL.
 */
export class EngineQueue {
  readonly #start: () => Promise<Engine>;
  #engine: Promise<Engine> | null = null;
  #waiting: Job[] = [];
  #running: { readonly client: object; readonly stop: (reason: Error) => void } | null = null;
  #isWorking = false;
  /** Called when no job can run. */
  #onIdle: () => void = () => undefined;
  /** The client that has an open transaction; null if no transaction is open. */
  #holder: object | null = null;
  #isClosed = false;

  constructor(start: () => Promise<Engine>) {
    this.#start = start;
  }

  /** Starts the engine unless it runs. @throws StoppedError if the engine cannot start, or the queue is closed */
  ready(): Promise<Engine> {
    if (this.#isClosed) return Promise.reject(CLOSED());
    this.#engine ??= this.#start().catch((cause: Error) => {
      this.#engine = null;
      throw new StoppedError('57P03', cause.message, { cause });
    });
    return this.#engine;
  }

  /**
   * Runs a batch of a client after the batches before it in the queue. `onData` gets each piece of the response.
   * @param timeoutMs the time limit of the batch, not counting its time in the queue; 0 for no limit
   * @returns how long the batch ran, in milliseconds
   * @throws StoppedError if the batch could not start or was stopped. A stop also rolls back the client's transaction.
   */
  run(client: object, batch: Uint8Array, timeoutMs: number, onData: (piece: Uint8Array) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(CLOSED());
      this.#waiting.push({ client, batch, timeoutMs, onData, resolve, reject });
      if (!this.#isWorking) void this.#work();
    });
  }

  /** Stops the batches of a client: those in the queue at once, and the running one after `CANCEL_AFTER_MS`. */
  cancel(client: object): void {
    for (const { reject } of this.#remove((job) => job.client === client)) reject(CANCELED());
    const running = this.#running;
    if (running?.client !== client) return;
    setTimeout(() => running === this.#running && running.stop(CANCELED()), CANCEL_AFTER_MS).unref();
  }

  /** Stops the batch of a client that has disconnected, and rolls back its transaction. */
  leave(client: object): void {
    this.cancel(client);
    if (this.#holder === client || this.#running?.client === client)
      void this.run(client, ROLLBACK, 0, () => undefined).catch(() => undefined);
  }

  /** Rejects the batches in the queue, lets the running one end, and closes the engine. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#remove(() => true)) reject(CLOSED());
    if (this.#isWorking)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    const engine = await this.#engine?.catch(() => null);
    await engine?.close();
  }

  #remove(isRemoved: (job: Job) => boolean): Job[] {
    const removed = this.#waiting.filter(isRemoved);
    this.#waiting = this.#waiting.filter((job) => !removed.includes(job));
    return removed;
  }

  /** Runs the jobs one after the other, until none can run. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let job = this.#take(); job !== undefined; job = this.#take()) {
      try {
        const { ranMs, isTransactionOpen } = await this.#runNow(job);
        this.#holder = isTransactionOpen ? job.client : null;
        job.resolve(ranMs);
      } catch (error) {
        this.#holder = null;
        job.reject(error as Error);
      }
      this.#running = null;
    }
    this.#isWorking = false;
    this.#onIdle();
  }

  /** Takes the next job. While a transaction is open, takes only jobs of its client. */
  #take(): Job | undefined {
    const index = this.#holder === null ? 0 : this.#waiting.findIndex(({ client }) => client === this.#holder);
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  /** @returns how long the batch ran, and whether a transaction is open after it */
  async #runNow({ client, batch, timeoutMs, onData }: Job): Promise<{ ranMs: number; isTransactionOpen: boolean }> {
    const { promise: stopped, stop } = createStop();
    this.#running = { client, stop };
    const engine = await this.ready();
    const timeout = timeoutMs > 0 ? setTimeout(() => stop(TIMED_OUT()), timeoutMs) : undefined;
    let last: Uint8Array = new Uint8Array();
    let isStopped = false;
    const response = engine.run(batch, (piece) => {
      if (isStopped) return;
      last = piece;
      onData(piece);
    });
    try {
      const ranMs = await Promise.race([response, stopped]);
      return { ranMs, isTransactionOpen: isInTransaction(last) };
    } catch (error) {
      // The engine is in an unknown state. Its thread must stop using the files before the next batch starts another engine.
      isStopped = true;
      response.catch(() => undefined);
      await engine.kill();
      this.#engine = null;
      throw error instanceof EngineError
        ? new StoppedError('57P02', `the embedded database has failed: ${error.message}`, { cause: error })
        : error;
    } finally {
      clearTimeout(timeout);
    }
  }
}

/**
 * Returns a promise and the function that rejects it. The function must be called by a timer: `setImmediate` then runs after the
 * event loop has read the messages that have arrived. Otherwise this thread, when busy, would stop a batch whose response it has
 * not read yet.
 */
function createStop(): { readonly promise: Promise<never>; readonly stop: (reason: Error) => void } {
  let stop: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    stop = (reason) => void setImmediate(reject, reason);
  });
  promise.catch(() => undefined);
  return { promise, stop };
}
