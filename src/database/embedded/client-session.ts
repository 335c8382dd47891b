import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { type EngineQueue, StoppedError } from './engine-queue.js';
import {
  COPY_IN_RESPONSE,
  type FirstPacket,
  fatalError,
  NO_ENCRYPTION,
  PacketReader,
  startupResponse,
  WholeMessages,
  withoutCopyRequest,
} from './protocol.js';

const COPY_FROM_CLIENT = /^\s*COPY\b[^;]*\bFROM\s+STDIN\b/i;

/** The sessions of a server, by process id. A client gets its process id at the start, and sends the id in cancel requests. */
export type Sessions = Map<number, ClientSession>;

/** The exclusive upper bound of process ids and secrets. Both are signed 32-bit numbers in the protocol. */
const MAX_ID = 2 ** 31 - 1;

/** The connection of one client. Collects its messages into batches that the engine can run without waiting for more. */
export class ClientSession {
  readonly #processId = randomInt(1, MAX_ID);
  readonly #secret = randomInt(1, MAX_ID);
  readonly #reader = new PacketReader();
  #batch: Buffer[] = [];
  #isStarted = false;
  /** Whether the client has disconnected, or was sent a fatal error. Nothing that it sends afterwards is run. */
  #hasEnded = false;
  #isCopying = false;
  /** The time limit of a statement; 0 for no limit. */
  #timeoutMs = 0;
  /**
   * The part of `#timeoutMs` that is left for the next batch. A statement that is read in portions has several batches, which
   * share the limit.
   */
  #remainingMs = 0;
  /** The call of `#handle` that is running, or null. Only one runs at a time, so packets are handled one after another. */
  #handling: Promise<void> | null = null;

  constructor(
    readonly socket: Socket,
    readonly queue: EngineQueue,
    readonly sessions: Sessions,
  ) {
    sessions.set(this.#processId, this);
    socket.on('data', (chunk) => {
      this.#reader.add(chunk);
      this.#handling ??= this.#handle().finally(() => {
        this.#handling = null;
      });
    });
    // Ignores the error, because `close` follows every error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#hasEnded = true;
      sessions.delete(this.#processId);
      queue.leave(this);
    });
  }

  async #handle(): Promise<void> {
    try {
      for (let first = this.#nextFirst(); first; first = this.#nextFirst()) await this.#handleFirst(first);
      if (!this.#isStarted) return;
      for (let message = this.#nextMessage(); message; message = this.#nextMessage()) await this.#handleMessage(message);
    } catch (error) {
      this.#hasEnded = true;
      const { code, message } = error instanceof StoppedError ? error : { code: 'XX000', message: 'internal error' };
      this.socket.end(fatalError(code, message));
    }
  }

  #nextFirst(): FirstPacket | null {
    return this.#isStarted || this.#hasEnded ? null : this.#reader.nextFirst();
  }

  #nextMessage(): Buffer | null {
    return this.#hasEnded ? null : this.#reader.nextMessage();
  }

  async #handleFirst(packet: FirstPacket): Promise<void> {
    if (packet.kind === 'encryption') {
      this.socket.write(NO_ENCRYPTION);
    } else if (packet.kind === 'cancel') {
      const session = this.sessions.get(packet.processId);
      if (session && session.#secret === packet.secret) this.queue.cancel(session);
      this.socket.end();
    } else {
      this.#timeoutMs = Number(packet.parameters.get('statement_timeout') ?? 0);
      this.#remainingMs = this.#timeoutMs;
      const { serverVersion } = await this.queue.ready();
      this.#isStarted = true;
      this.socket.write(startupResponse(serverVersion, this.#processId, this.#secret));
    }
  }

  async #handleMessage(message: Buffer): Promise<void> {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === 'X') {
      this.socket.end();
      return;
    }
    this.#batch.push(message);
    if (type === 'Q' && COPY_FROM_CLIENT.test(message.toString('utf8', 5))) {
      // The engine needs all data at once, so the session requests the data, and runs the COPY once all of it has arrived.
      this.#isCopying = true;
      this.socket.write(COPY_IN_RESPONSE);
    } else if (type === 'Q' || type === 'S' || type === 'H' || (this.#isCopying && (type === 'c' || type === 'f'))) {
      const ranMs = await this.#runBatch();
      const isSuspended = type === 'H' && this.#timeoutMs > 0;
      this.#remainingMs = isSuspended ? Math.max(1, this.#remainingMs - ranMs) : this.#timeoutMs;
    }
  }

  /** @returns how long the batch ran, in milliseconds */
  async #runBatch(): Promise<number> {
    const batch = Buffer.concat(this.#batch);
    let wasAskedForData = this.#isCopying;
    const messages = new WholeMessages();
    this.#batch = [];
    this.#isCopying = false;
    return this.queue.run(this, batch, this.#remainingMs, (piece) => {
      // A fatal error may follow any piece of the response, so only whole messages are written.
      for (const part of messages.add(wasAskedForData ? withoutCopyRequest(piece) : piece)) this.socket.write(part);
      wasAskedForData = false;
    });
  }
}
