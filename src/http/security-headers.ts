import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The directives of a content security policy, and the sources of each. */
type Directives = Readonly<Record<string, Iterable<string>>>;

/** Returns Helmet's headers with this content security policy. They are the same in each response, so they are computed once. */
export function createSecurityHeaders(directives: Directives): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: () => undefined,
  };
  const setHeaders = helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return Object.fromEntries(headers);
}
