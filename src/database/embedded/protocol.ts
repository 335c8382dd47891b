/*
 * The messages of PostgreSQL's protocol that a server has to read and write itself. The engine handles all others.
 * https://www.postgresql.org/docs/17/protocol-message-formats.html
 */

import { CANCEL_REQUEST } from '../cancel-request.js';

const PROTOCOL_3_0 = 196_608;

/** The first packet of a connection. */
export type FirstPacket =
  | { readonly kind: 'startup'; readonly parameters: ReadonlyMap<string, string> }
  | { readonly kind: 'cancel'; readonly processId: number; readonly secret: number }
  /** A request for encryption, which a Unix socket does not need. A packet with an unknown code counts as such a request, too. */
  | { readonly kind: 'encryption' };

/** Splits what a client sends into packets. */
export class PacketReader {
  #bytes: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /** Returns the next packet of a connection that has not started, or null until it has arrived. */
  nextFirst(): FirstPacket | null {
    const packet = this.#take(0);
    if (packet === null) return null;
    const code = packet.readInt32BE(4);
    if (code === CANCEL_REQUEST) return { kind: 'cancel', processId: packet.readInt32BE(8), secret: packet.readInt32BE(12) };
    if (code !== PROTOCOL_3_0) return { kind: 'encryption' };
    const texts = packet.toString('utf8', 8).split('\0');
    const parameters = new Map<string, string>();
    for (let index = 0; texts[index]; index += 2) parameters.set(texts[index] ?? '', texts[index + 1] ?? '');
    return { kind: 'startup', parameters };
  }

  /** Returns the next message with its header, or null until it has arrived. The first byte is its type. */
  nextMessage(): Buffer | null {
    return this.#take(1);
  }

  /** @param lengthAt the index of the length field. The length covers this field and all bytes after it. */
  #take(lengthAt: 0 | 1): Buffer | null {
    if (this.#bytes.length < lengthAt + 4) return null;
    const length = this.#bytes.readInt32BE(lengthAt);
    if (length < 4) throw new RangeError('A message of PostgreSQL has at least four bytes.');
    const end = lengthAt + length;
    if (this.#bytes.length < end) return null;
    const packet = this.#bytes.subarray(0, end);
    this.#bytes = this.#bytes.subarray(end);
    return packet;
  }
}

/** A header has one byte for the type of the message and four for its length. The length includes itself, but not the type. */
const HEADER_BYTES = 5;

/**
 * Holds a message of the engine back until it is whole. A piece is copied only if the header of a message is split, because a
 * response can have many megabytes.
 */
export class WholeMessages {
  /** The pieces of the message that is not whole yet. */
  #held: Buffer[] = [];
  /** The number of bytes that this message lacks; 0 until its header is whole. */
  #missing = 0;

  /** Adds the next piece of a response. @returns the pieces of the messages that are whole by now */
  add(piece: Uint8Array): Buffer[] {
    let bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    if (bytes.length < this.#missing) {
      this.#held.push(bytes);
      this.#missing -= bytes.length;
      return [];
    }
    if (this.#missing === 0 && this.#held.length > 0) bytes = Buffer.concat([...this.#held.splice(0), bytes]);
    let end = this.#missing;
    this.#missing = 0;
    while (this.#missing === 0 && bytes.length - end >= HEADER_BYTES) {
      const next = end + 1 + bytes.readInt32BE(end + 1);
      if (next > bytes.length) this.#missing = next - bytes.length;
      else end = next;
    }
    const whole = [...this.#held, bytes.subarray(0, end)];
    this.#held = end < bytes.length ? [bytes.subarray(end)] : [];
    return end === 0 ? [] : whole;
  }
}

/** The response that refuses encryption. The client then goes on without it. */
export const NO_ENCRYPTION = Buffer.from('N');

/** The message that requests the data of a COPY, as text. */
export const COPY_IN_RESPONSE = message('G', Buffer.from([0, 0, 0]));

const ROLLBACK_QUERY = message('Q', Buffer.from('ROLLBACK\0'));

/**
 * The messages that roll back the open transaction, if there is one. The first ROLLBACK also ends a suspended query. If a
 * statement has failed before, PostgreSQL ignores all messages until a Sync, and only the second ROLLBACK takes effect.
 */
export const ROLLBACK = Buffer.concat([ROLLBACK_QUERY, message('S', Buffer.alloc(0)), ROLLBACK_QUERY]);

/** Removes the engine's own request for the data of a COPY from the beginning of its response. */
export function withoutCopyRequest(response: Uint8Array): Uint8Array {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.length);
  return bytes[0] === COPY_IN_RESPONSE[0] ? bytes.subarray(1 + bytes.readInt32BE(1)) : bytes;
}

const IDLE = Buffer.from('I');

/** Returns the response that accepts a connection without a password, because only the gateway's user may open the socket. */
export function startupResponse(serverVersion: string, processId: number, secret: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeInt32BE(processId, 0);
  key.writeInt32BE(secret, 4);
  const parameters = { server_version: serverVersion, server_encoding: 'UTF8', client_encoding: 'UTF8', TimeZone: 'UTC' };
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...Object.entries(parameters).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
    message('K', key),
    message('Z', IDLE),
  ]);
}

/** Returns the message of an error after which the session closes its connection. @param code an SQLSTATE */
export function fatalError(code: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`));
}

/**
 * Whether a transaction is open after a response. The last byte of a response is the status in its ReadyForQuery message. The
 * response to a Flush has no such message, and its transaction stays open until a Sync.
 */
export function isInTransaction(response: Uint8Array): boolean {
  return response.at(-1) !== IDLE[0];
}

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}
