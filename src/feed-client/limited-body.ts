/** Reads the body of a response as text. Returns null if it has more than `maxBytes`, and cancels the rest. */
export async function readLimitedBody({ body }: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return null;
  }
  return Buffer.concat(chunks).toString();
}
