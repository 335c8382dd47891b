import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEventFile } from '../../src/log-copy/event-file.js';
import { cuts, inChunks } from '../support/in-chunks.js';
import { isJson } from '../support/is-json.js';

interface ReadFile {
  readonly events: readonly { readonly place: string; readonly text: string }[];
  readonly totals: readonly number[];
  /** The error after these events. */
  readonly problem: string | null;
}

async function readFile(file: string | Buffer, cutsAt: readonly number[] = []): Promise<ReadFile> {
  const events: ReadFile['events'][number][] = [];
  const totals: number[] = [];
  try {
    const reading = readEventFile(inChunks(Buffer.from(file), cutsAt), (total) => totals.push(total));
    for await (const some of reading) events.push(...some.filter(({ text }) => text.trim() !== ''));
    return { events, totals, problem: null };
  } catch (error) {
    return { events, totals, problem: (error as Error).message };
  }
}

const textsOf = ({ events }: ReadFile) => events.map(({ text }) => text);

/** Characters that could be taken for the end of a string, of an event or of the list. */
const confusingText = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', 'events', '"events":[', 'é', '🎉'),
});
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    confusingText,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(confusingText, fc.constant('events')), tie('value')),
  ),
})).value;

/** The JSON text of an event, with the numbers, keys and escapes that parsing and printing would change. */
const rawEvent = fc
  .record({
    data: json,
    indent: fc.nat({ max: 2 }),
    more: fc.constantFrom('', '"n":1e400, "n" : 12345678901234567890,', '"u":"\\u00e4\\/",'),
  })
  .map(({ data, indent, more }) => `{${more}"id":1,"data":${JSON.stringify(data, null, indent)}}`);
const rawEvents = fc.array(rawEvent, { maxLength: 5 });
const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

/** The text of a file in pieces: the raw events, and the text between them. */
type Pieces = readonly (string | { readonly event: string })[];

const array = fc
  .tuple(rawEvents, blank, blank)
  .map(
    ([events, a, b]): Pieces => [
      `${a}[`,
      ...events.flatMap((event, index): Pieces => [index === 0 ? a : `${b},${a}`, { event }]),
      `${b}]${a}`,
    ],
  );
const before = fc.constantFrom(
  '',
  '"version":1,',
  '"version": 1, "toggleName": "{\\"events\\":[", ',
  '"meta":{"events":[{"id":7}]},"tags":[1],',
);
const after = fc.constantFrom('', ',"totalEvents":12', ', "total" : 7, "next":{"events":[]}', ',"a":["}"]');
const response = fc
  .tuple(array, before, after, blank)
  .map(([list, first, last, a]): Pieces => [`${a}{${a}${first}"events"${a}:${a}`, ...list, `${last}${a}}${a}`]);
const single = fc.tuple(rawEvent, blank).map(([event, a]): Pieces => [a, { event }, a]);
const documents = fc
  .tuple(fc.oneof(array, response), fc.array(fc.oneof(array, response, single), { maxLength: 2 }))
  .map(([first, others]): Pieces => [...first, ...others.flat()]);

describe('reading the events of a file', () => {
  test('any JSON documents in any chunks → the exact text of each event, with its number and line', async () => {
    await fc.assert(
      fc.asyncProperty(documents, cuts, fc.boolean(), fc.boolean(), async (pieces, cutsAt, hasMark, isCompressed) => {
        let text = '';
        const expected: ReadFile['events'][number][] = [];
        for (const piece of pieces) {
          const place = `Event ${expected.length + 1} in line ${text.split('\n').length}`;
          if (typeof piece !== 'string') expected.push({ place, text: piece.event });
          text += typeof piece === 'string' ? piece : piece.event;
        }
        const file = Buffer.from(hasMark ? `\ufeff${text}` : text);

        const { events, problem } = await readFile(isCompressed ? gzipSync(file) : file, cutsAt);
        expect({ events, problem }).toEqual({ events: expected, problem: null });
      }),
    );
  });

  test('any lines in any chunks → the exact text of each event, with the number of its line', async () => {
    const line = rawEvent.map((event) => event.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), cuts, fc.nat(), async (lines, lineBreak, cutsAt, cut) => {
        const text = Buffer.from(lines.join(lineBreak));
        const cutAt = cut % (text.length + 1);
        const expected = lines.map((event, index) => ({ place: `Line ${index + 1}`, text: event }));
        // A gzip file can consist of several members.
        const members = Buffer.concat([gzipSync(text.subarray(0, cutAt)), gzipSync(text.subarray(cutAt))]);

        for (const file of [text, members]) {
          const { events, problem } = await readFile(file, cutsAt);
          const trimmed = events.map(({ place, text: event }) => ({ place, text: event.trim() }));
          expect({ events: trimmed, problem }).toEqual({ events: expected, problem: null });
        }
      }),
    );
  });

  test('any text → any chunks have the same events and the same error', async () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '\n',
      ' ',
      '1',
      '"events":',
      '{"events":[',
      '{"id":1}',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 20 }), fc.nat(), cuts, async (tokens, length, cutsAt) => {
        const text = Buffer.from(tokens.join(''));
        // The file can end within a character.
        const file = text.subarray(0, text.length - (length % 2));

        expect(await readFile(file, cutsAt)).toEqual(await readFile(file));
      }),
      { numRuns: 1000 },
    );
  });

  test('a document with a character too many or too few → an error, or an event that is not JSON', async () => {
    const character = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'x');
    await fc.assert(
      fc.asyncProperty(fc.oneof(array, response), fc.nat(), fc.option(character), async (pieces, position, inserted) => {
        const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.event)).join('');
        const at = position % text.length;
        const changed = text.slice(0, at) + (inserted ?? '') + text.slice(inserted === null ? at + 1 : at);
        fc.pre(!isJson(changed));
        const { events, problem } = await readFile(changed);

        expect(problem !== null || events.some(({ text: event }) => !isJson(event))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, string, readonly number[]]>([
    ['a page of a search', '{"events":[{"id":1}],"total":1276}', [1276]],
    ['the events of a flag', '{"version":1,"toggleName":"a","events":[{"id":1}],"totalEvents":4}', [4]],
    ['two pages', '{"events":[{"id":1}],"total":9}\n{"total":9,"events":[]}', [9, 9]],
    ['a total that is not a number', '{"events":[],"total":"9"}', []],
    ['an array', '[{"id":1}]', []],
  ])('%s → its total', async (_, file, totals) => {
    const read = await readFile(file);
    expect({ totals: read.totals, problem: read.problem }).toEqual({ totals, problem: null });
  });

  test.each<[string, string | Buffer]>([
    ['an empty file', ''],
    ['a byte order mark', '\ufeff'],
    ['blank lines', ' \r\n\n\t'],
    ['more blank lines than decide on the format', '\n'.repeat(200_000)],
    ['an empty array', ' [ \n ] \n'],
    ['an empty object', '{"version":1,"events":[],"totalEvents":0}'],
    ['an empty file as gzip', gzipSync('')],
  ])('%s → no events, and no error', async (_, file) => {
    const { events, problem } = await readFile(file, [1, 2, 65_536, 65_537]);
    expect({ events, problem }).toEqual({ events: [], problem: null });
  });

  test.each<[string, string, readonly string[]]>([
    ['events over several lines', '{\n "id": 1\n}\n{\n "id": 2\n}\n', ['{\n "id": 1\n}', '{\n "id": 2\n}']],
    ['events over several lines that begin with a key', '{"id": 1,\n"b": 2}\n{"id": 2}', ['{"id": 1,\n"b": 2}', '{"id": 2}']],
    [
      'lines longer than decide on the format',
      `{"id":"${'x'.repeat(70_000)}"}\n{"id":2}\n`,
      [`{"id":"${'x'.repeat(70_000)}"}`, '{"id":2}'],
    ],
    ['an array on each line', '[{"id":1}]\n[{"id":2}]\n', ['{"id":1}', '{"id":2}']],
    ['lines after blank lines and a byte order mark', '\ufeff\n\n{"id":1}\n{"id":2}', ['{"id":1}', '{"id":2}']],
  ])('%s → the events', async (_, file, texts) => {
    const read = await readFile(file, [3, 65_000]);
    expect({ texts: textsOf(read), problem: read.problem }).toEqual({ texts, problem: null });
  });

  test('a first line that is incomplete → still one event per line', async () => {
    expect((await readFile('{"id":1\n{"id":2}')).events).toEqual([
      { place: 'Line 1', text: '{"id":1' },
      { place: 'Line 2', text: '{"id":2}' },
    ]);
  });

  const MIB = 1024 * 1024;
  const truncated = gzipSync('[{"id":1},{"id":2}]').subarray(0, -3);
  const damaged = Buffer.from(gzipSync('[{"id":1},{"id":2}]'));
  damaged[damaged.length - 6] = ~(damaged.at(-6) ?? 0);
  test.each<[string, string | Buffer, string]>([
    ['text', '# Events', 'The file does not begin with { or [. Expected one event per line (NDJSON), an array of events,'],
    ['CSV', 'id,type\n1,feature-created', 'The file does not begin with { or ['],
    ['UTF-16', Buffer.from('\ufeff[{"id":1}]', 'utf16le'), 'The file is encoded in UTF-16. Convert it to UTF-8'],
    ['gzip within gzip', gzipSync(gzipSync('[]')), 'The file does not begin with { or ['],
    ['an array that ends within an event', '[{"id":1},\n{"id', 'Event 2 in line 2 is cut off: the JSON text ends at byte 15'],
    ['an array that ends after an event', '[{"id":1}', 'The list of events is cut off: the JSON text ends at byte 9'],
    ['an array that ends after a comma', '[{"id":1},', 'The list of events is cut off: the JSON text ends at byte 10'],
    ['an array that ends at once', '[', 'The list of events is cut off: the JSON text ends at byte 1'],
    [
      'an object that ends after its events',
      '{"events":[]',
      'The object around the events is cut off: the JSON text ends at byte 12',
    ],
    [
      'an object that ends within its events',
      '{"events":[{"a":1}',
      'The list of events is cut off: the JSON text ends at byte 18',
    ],
    ['a comma before the end of an array', '[{"id":1},]', 'Event 2 in line 1 is missing after a comma'],
    [
      'an array without a comma',
      '[{"id":1}\n{"id":2}]',
      'Event 1 in line 1 is followed by neither a comma nor the end of the list',
    ],
    ['an array in an array', '[[{"id":1}]]', 'Event 1 in line 1 must be a JSON object such as {"id":1,'],
    ['a number in an array', '[{"id":1},\n2]', 'Event 2 in line 2 must be a JSON object such as {"id":1,'],
    ['text after an array', '[{"id":1}]\n# end', 'The text from byte 12 on, in line 2, is not JSON'],
    ['an object with other text after its events', '{"events":[],}', 'The object around the events is not valid JSON'],
    ['two lists of events', '{"events":[],"events":[{"id":1}]}', 'The object around the events has the field events twice'],
    ['bytes that are not UTF-8', Buffer.from('[{"id":1},{"a":"\xff"}]', 'latin1'), 'Event 2 in line 1 is not valid UTF-8'],
    ['an event of more than 16 MiB', `[{"id":1},{"a":"${'x'.repeat(16 * MIB)}"}]`, 'Event 2 in line 1 is longer than 16 MiB'],
    [
      'fields of more than 16 MiB around the events',
      `{"events":[],"a":"${'x'.repeat(16 * MIB)}"}`,
      'The object around the events is longer than 16 MiB',
    ],
    ['a truncated gzip file', truncated, 'The gzip file is truncated: it ends within its compressed data'],
    ['a damaged gzip file', damaged, 'The gzip file is damaged: incorrect data check'],
    [
      'text after gzip',
      Buffer.concat([gzipSync('[]'), Buffer.from('[{"id":1}]')]),
      'The gzip file is damaged: incorrect header check',
    ],
  ])('%s → an error that says so', async (_, file, problem) => {
    const read = await readFile(file, [5, 100_000, 16 * MIB]);
    expect(read.problem).toContain(problem);
    expect(read.problem).toMatch(/\. Nothing of the file was imported\.$/);
  });
});
