import type { WebSocket } from '@fastify/websocket';
import { toPieces } from '../http/stream-response.js';

/** While more than this many bytes of replies to a client are unsent, the gateway reads no further messages of that client. */
const MAX_REPLY_BYTES = 64 * 1024;

/** An upper limit for the size of a pong. The frame contains at most 125 bytes of data. */
const PONG_BYTES = 131;

/** A message that waits for the messages before it. */
interface Message {
  readonly bytes: Buffer;
  /** The id of the subscription if the message is a result, or else null. */
  readonly resultOf: string | null;
  readonly resolve: () => void;
}

/**
 * Sends the messages of a WebSocket, one after the other. Each running subscription has at most one unsent result. If a client
 * leaves replies unread, the queue pauses the socket, since the replies to further messages could otherwise fill the memory.
 */
export class MessageQueue {
  readonly #socket: WebSocket;
  readonly #onProgress: () => void;
  #waiting: Message[] = [];
  #isSending = false;
  #replyBytes = 0;

  /** @param onProgress called when the client has read so much of a long message that the next piece can be sent */
  constructor(socket: WebSocket, onProgress: () => void) {
    this.#socket = socket;
    this.#onProgress = onProgress;
  }

  /**
   * Sends a message. Resolves once the message was passed to the operating system, or dropped.
   * @param resultOf the id of the subscription if the message is a result, or else null
   */
  send(text: string, resultOf: string | null): Promise<void> {
    return new Promise((resolve) => {
      const bytes = Buffer.from(text);
      if (resultOf === null) this.#addReply(bytes.length);
      this.#waiting.push({ bytes, resultOf, resolve });
      if (!this.#isSending) void this.#sendWaiting();
    });
  }

  /** Drops the unsent result of a subscription that the client has completed. */
  drop(id: string): void {
    const dropped = this.#waiting.filter(({ resultOf }) => resultOf === id);
    this.#waiting = this.#waiting.filter(({ resultOf }) => resultOf !== id);
    for (const { resolve } of dropped) resolve();
  }

  /** Responds to a ping. A pong may come between two pieces of a message. */
  pong(data: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#addReply(PONG_BYTES);
    this.#socket.pong(data, false, () => this.#removeReply(PONG_BYTES));
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      await this.#sendInPieces(message.bytes);
      if (message.resultOf === null) this.#removeReply(message.bytes.length);
      message.resolve();
    }
    this.#isSending = false;
  }

  async #sendInPieces(bytes: Buffer): Promise<void> {
    let left = bytes.length;
    for (const piece of toPieces(bytes)) {
      left -= piece.length;
      await this.#sendPiece(piece, left === 0);
      if (left > 0) this.#onProgress();
    }
  }

  #sendPiece(piece: Buffer, isLast: boolean): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.OPEN)
        this.#socket.send(piece, { binary: false, fin: isLast }, () => resolve());
      else resolve();
    });
  }

  #addReply(bytes: number): void {
    this.#replyBytes += bytes;
    if (this.#replyBytes > MAX_REPLY_BYTES) this.#socket.pause();
  }

  #removeReply(bytes: number): void {
    this.#replyBytes -= bytes;
    if (this.#replyBytes <= MAX_REPLY_BYTES && this.#socket.isPaused) this.#socket.resume();
  }
}
