/**
 * Splits a UTF-8 body into lines. Yields the lines that end in each chunk, perhaps none.
 * @param onTooLong creates the error for a line that has not ended after more than `maxLength` UTF-16 units
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxLength: number,
  onTooLong: () => Error,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of body) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = pieces.join('') + lines[0];
      pieces = [];
      length = 0;
    }
    pieces.push(rest);
    length += rest.length;
    if (length > maxLength) throw onTooLong();
    yield lines;
  }
}
