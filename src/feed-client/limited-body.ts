/** Reads the body of a response as text. If the body has more than `maxBytes`, cancels the rest and returns null. */
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
