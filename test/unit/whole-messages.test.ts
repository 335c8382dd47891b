import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WholeMessages } from '../../src/database/embedded/protocol.js';

const HEADER_BYTES = 5;

function toMessage(body: Uint8Array): Buffer {
  const header = Buffer.from('D    ');
  header.writeInt32BE(HEADER_BYTES - 1 + body.length, 1);
  return Buffer.concat([header, body]);
}

/** Splits bytes after each of the given numbers of bytes, in turn. */
function split(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let [start, index] = [0, 0]; start < bytes.length; index += 1) {
    const end = start + (lengths[index % lengths.length] ?? 1);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** Returns the positions at which a message ends, and 0. */
function endsOf(messages: readonly Buffer[]): Set<number> {
  let end = 0;
  return new Set([
    0,
    ...messages.map(({ length }) => {
      end += length;
      return end;
    }),
  ]);
}

test('messages in pieces of any lengths → each piece adds all messages that are whole by now, and nothing else', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 8 });
  const lengths = fc.array(fc.nat({ max: 30 }), { maxLength: 6 }).map((all) => [...all, 7]);
  fc.assert(
    fc.property(bodies, lengths, (all, pieceLengths) => {
      const messages = all.map(toMessage);
      const bytes = Buffer.concat(messages);
      const ends = endsOf(messages);
      const whole = new WholeMessages();
      let [added, written] = [0, Buffer.alloc(0)];
      for (const piece of split(bytes, pieceLengths)) {
        added += piece.length;
        written = Buffer.concat([written, ...whole.add(piece)]);
        expect(written.length).toBe(Math.max(...[...ends].filter((end) => end <= added)));
      }
      expect(written).toEqual(bytes);
    }),
    { numRuns: 500 },
  );
});
