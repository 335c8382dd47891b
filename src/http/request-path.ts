/**
 * Returns the path of the URL of a request, as the client wrote it. `new URL` would read the text after `//` as a host, and
 * throw for `//` alone, which the router takes for `/`.
 */
export function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path;
}
