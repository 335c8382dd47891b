import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitLines, type TextLine } from '../../src/log-copy/split-lines.js';

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Splits the bytes into chunks at the given places. Chunks can be empty, and can end within a character. */
async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function linesOf(file: AsyncIterable<Uint8Array>): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const some of splitLines(file)) lines.push(...some);
  return lines;
}

const cuts = fc.array(fc.nat(), { maxLength: 30 });
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

        expect(await linesOf(inChunks(Buffer.from(file), cutsAt))).toEqual(
          expected.map((text, index) => ({ number: index + 1, text })),
        );
      }),
    );
  });

  test('any chunks of any bytes → the same lines, and null for those that are not UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0x0a, 0x41, 0xc3, 0xa9, 0xf0, 0x9f, 0xff, 0x80)),
        cuts,
        async (values, cutsAt) => {
          const bytes = Uint8Array.from(values);
          const lines = await linesOf(inChunks(bytes, cutsAt));

          expect(lines).toEqual(await linesOf(inChunks(bytes, [])));
          for (const { text } of lines) expect(text === null || !text.includes('\ufffd')).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['a line that is not UTF-8', [0x41, 0x0a, 0xff, 0x0a, 0x42], ['A', null, 'B']],
    ['a character cut off by the end of the line', [0xc3, 0x0a, 0xa9], [null, null]],
    ['an overlong encoding', [0xc0, 0x80], [null]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], [null]],
    ['an empty file', [], []],
    ['a single line feed', [0x0a], ['']],
  ])('%s', async (_, bytes, texts) => {
    expect((await linesOf(inChunks(Uint8Array.from(bytes), []))).map(({ text }) => text)).toEqual(texts);
  });

  test('a line longer than 16 MiB → null, and reading stops', async () => {
    let reads = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first\n');
      for (;;) {
        reads += 1;
        yield Buffer.alloc(1024 * 1024, 'x');
      }
    }

    expect(await linesOf(endless())).toEqual([
      { number: 1, text: 'first' },
      { number: 2, text: null },
    ]);
    expect(reads).toBe(17);
  });

  test('a line of exactly 16 MiB → a line', async () => {
    const [only, ...more] = await linesOf(inChunks(Buffer.alloc(MAX_LINE_BYTES, 'x'), [1000]));

    expect(only?.text).toHaveLength(MAX_LINE_BYTES);
    expect(more).toEqual([]);
  });

  // The limit must not depend on the chunks of the file.
  test.each([
    ['in one chunk', []],
    ['in many chunks', Array.from({ length: 20 }, (_, index) => index * 1024 * 1024)],
  ])('a line of one byte more, %s → null', async (_, cutsAt) => {
    const bytes = Buffer.concat([Buffer.alloc(MAX_LINE_BYTES + 1, 'x'), Buffer.from('\nnext')]);

    // Compares a boolean, because a report with the whole line would be too long.
    expect((await linesOf(inChunks(bytes, cutsAt)))[0]?.text === null).toBe(true);
  });
});
