import type { Config } from '../config.js';

/** Why the gateway cannot listen where it is told to. */
export class ListenError extends Error {
  constructor(cause: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>) {
    super(
      cause.code === 'EADDRINUSE'
        ? `Port ${port} is in use by another process. Stop that one, or choose another PORT.`
        : `Cannot listen on HOST ${host}, PORT ${port}: ${cause.message}`,
      { cause },
    );
  }
}
