import fc from 'fast-check';

/** Places at which `inChunks` splits a file. */
export const cuts = fc.array(fc.nat(), { maxLength: 30 });

/** Splits the bytes into chunks at the given places. Chunks can be empty, and can end within a character. */
export async function* inChunks(bytes: Uint8Array, cutsAt: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cutsAt.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}
