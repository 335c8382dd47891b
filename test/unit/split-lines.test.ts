import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RawEvent } from '../../src/log-copy/raw-event.js';
import { splitLines } from '../../src/log-copy/split-lines.js';
import { cuts, inChunks } from '../support/in-chunks.js';

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Returns the lines before the first problem, and the problem. */
async function readLines(file: AsyncIterable<Uint8Array>): Promise<{ lines: RawEvent[]; problem: string | null }> {
  const lines: RawEvent[] = [];
  try {
    for await (const some of splitLines(file)) lines.push(...some);
    return { lines, problem: null };
  } catch (error) {
    return { lines, problem: (error as Error).message };
  }
}

const line = fc.string({
  unit: fc.oneof(fc.constantFrom('\r', '\t', '\0', '\u2028', 'é', '日', '🎉'), fc.string({ minLength: 1, maxLength: 1 })),
});
const hasNoByteOrderMark = (text: string) => !text.startsWith('\ufeff');

describe('splitting a file into lines', () => {
  test('any chunks of a file → its lines, numbered from 1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line.filter(hasNoByteOrderMark)), cuts, fc.boolean(), async (lines, cutsAt, endsWithLineFeed) => {
        const file = lines.join('\n') + (endsWithLineFeed && lines.length > 0 ? '\n' : '');
        // Text after the last line feed is a line, unless it is empty.
        const expected = lines.at(-1) === '' && !endsWithLineFeed ? lines.slice(0, -1) : lines;

        expect(await readLines(inChunks(Buffer.from(file), cutsAt))).toEqual({
          lines: expected.map((text, index) => ({ place: `Line ${index + 1}`, text })),
          problem: null,
        });
      }),
    );
  });

  test('any chunks of any bytes → the same lines, up to the first that is not UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0x0a, 0x41, 0xc3, 0xa9, 0xf0, 0x9f, 0xff, 0x80)),
        cuts,
        async (values, cutsAt) => {
          const bytes = Uint8Array.from(values);
          const read = await readLines(inChunks(bytes, cutsAt));

          expect(read).toEqual(await readLines(inChunks(bytes, [])));
          for (const { text } of read.lines) expect(text).not.toContain('\ufffd');
        },
      ),
    );
  });

  test.each([
    ['a line that is not UTF-8', [0x41, 0x0a, 0xff, 0x0a, 0x42], ['A'], /^Line 2 is not valid UTF-8/],
    ['a character cut off by the end of the line', [0xc3, 0x0a, 0xa9], [], /^Line 1 is not valid UTF-8/],
    ['an overlong encoding', [0xc0, 0x80], [], /^Line 1 is not valid UTF-8/],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], [], /^Line 1 is not valid UTF-8/],
    ['an empty file', [], [], /^null$/],
    ['a single line feed', [0x0a], [''], /^null$/],
  ])('%s', async (_, bytes, texts, problem) => {
    const read = await readLines(inChunks(Uint8Array.from(bytes), []));

    expect(read.lines.map(({ text }) => text)).toEqual(texts);
    expect(String(read.problem)).toMatch(problem);
  });

  test('a line longer than 16 MiB → an error, and reading stops', async () => {
    let reads = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first\n');
      for (;;) {
        reads += 1;
        yield Buffer.alloc(1024 * 1024, 'x');
      }
    }

    expect(await readLines(endless())).toEqual({
      lines: [{ place: 'Line 1', text: 'first' }],
      problem: 'Line 2 is longer than 16 MiB. Nothing of the file was imported.',
    });
    expect(reads).toBe(17);
  });

  test('a line of exactly 16 MiB → a line', async () => {
    const { lines, problem } = await readLines(inChunks(Buffer.alloc(MAX_LINE_BYTES, 'x'), [1000]));

    expect(lines.map(({ text }) => text.length)).toEqual([MAX_LINE_BYTES]);
    expect(problem).toBeNull();
  });

  // The limit must not depend on the chunks of the file.
  test.each([
    ['in one chunk', []],
    ['in many chunks', Array.from({ length: 20 }, (_, index) => index * 1024 * 1024)],
  ])('a line of one byte more, %s → an error', async (_, cutsAt) => {
    const bytes = Buffer.concat([Buffer.alloc(MAX_LINE_BYTES + 1, 'x'), Buffer.from('\nnext')]);

    expect((await readLines(inChunks(bytes, cutsAt))).problem).toMatch(/^Line 1 is longer than 16 MiB/);
  });
});
