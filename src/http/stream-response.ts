import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The time after which a connection is reset if the client reads nothing. */
const STUCK_MS = 30_000;

/** A text is sent in pieces of this size, since Node.js does not tell how much of a piece the client has read. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends texts as one response. Each text is sent after the client has read the previous one. The source of the texts keeps an
 * idle stream alive (event-feed/stream-pages.ts). An error resets the connection, so that no client takes the response for
 * complete.
 */
export function sendStream(
  { method, raw: { socket } }: Pick<FastifyRequest, 'method' | 'raw'>,
  reply: FastifyReply,
  contentType: string,
  texts: AsyncGenerator<string, void>,
  stuckMs = STUCK_MS,
): FastifyReply {
  // Neither a proxy nor the gateway itself may transform or buffer a stream.
  reply.header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no').type(contentType);
  if (method === 'HEAD') return reply.send();
  // The idle timeout of the connection would end a stream that has nothing to send.
  socket.setTimeout(0);
  const reset = () => void socket.resetAndDestroy();
  // Sends the headers alone. Otherwise, Node.js would join them with the first piece, and V8 would keep the joined text as a tree
  // of some ninety strings until the next full garbage collection.
  reply.raw.once('pipe', () => reply.raw.flushHeaders());
  const stream = new TextStream(texts, reset, stuckMs);
  // The client may never read the last piece, so the connection gets a timeout again.
  stream.once('end', () => socket.setTimeout(stuckMs));
  return reply.send(stream);
}

/** Sends texts in pieces. It keeps no text that was sent, so that a waiting stream takes little memory. */
class TextStream extends Readable {
  readonly #texts: AsyncGenerator<string, void>;
  readonly #reset: () => void;
  readonly #stuckMs: number;
  #pieces: Generator<Buffer, void> | null = null;
  #stuck: NodeJS.Timeout | undefined;

  constructor(texts: AsyncGenerator<string, void>, reset: () => void, stuckMs: number) {
    super({ highWaterMark: 0 });
    this.#texts = texts;
    this.#reset = reset;
    this.#stuckMs = stuckMs;
  }

  /** Node.js calls this when the response takes another piece. */
  override _read(): void {
    clearTimeout(this.#stuck);
    this.#pushPiece().catch((error) => {
      this.#reset();
      this.destroy(error);
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#stuck);
    // Nobody waits for the generator to return, so its error is ignored.
    this.#texts.return().catch(() => undefined);
    callback(error);
  }

  async #pushPiece(): Promise<void> {
    const piece = this.#takePiece() ?? (await this.#readText());
    if (this.destroyed) return;
    if (piece) this.#stuck = setTimeout(this.#reset, this.#stuckMs);
    this.push(piece);
  }

  #takePiece(): Buffer | null {
    const piece = this.#pieces?.next().value ?? null;
    if (!piece) this.#pieces = null;
    return piece;
  }

  /** Returns the first piece of the next text; null after the last text. */
  async #readText(): Promise<Buffer | null> {
    const { value, done } = await this.#texts.next();
    if (done) return null;
    this.#pieces = toPieces(Buffer.from(value));
    return this.#takePiece() ?? this.#readText();
  }
}

/** Splits bytes into pieces that are sent one after the other. */
export function* toPieces(bytes: Buffer): Generator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
