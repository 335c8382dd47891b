import type { Config } from '../config.js';
import { OperatorError } from '../errors.js';

/** The gateway cannot listen on the configured HOST and PORT. */
export class ListenError extends OperatorError {
  constructor(cause: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>) {
    super(
      cause.code === 'EADDRINUSE'
        ? `Port ${port} is in use by another process. Stop that process, or set PORT to another port.`
        : `Cannot listen on HOST ${host}, PORT ${port}: ${cause.message}`,
      { cause },
    );
  }
}
