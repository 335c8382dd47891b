import type { Config } from '../config.js';
import { OperatorError } from '../errors.js';

type Address = Pick<Config, 'host' | 'port'>;

const NOT_LOCAL = ({ host }: Address) =>
  `HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 for clients on this machine, or to 0.0.0.0 for all clients.`;

/** The messages for the error codes of the operating system. */
const SENTENCES: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use by another process. Stop that process, or set PORT to another port.`,
  EACCES: ({ port }) => `The user of the gateway may not listen on port ${port}. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: NOT_LOCAL,
  EINVAL: NOT_LOCAL,
  ENOTFOUND: NOT_LOCAL,
  EAI_AGAIN: NOT_LOCAL,
};

/** The gateway cannot listen on the configured HOST and PORT. */
export class ListenError extends OperatorError {
  constructor(cause: NodeJS.ErrnoException, address: Address) {
    const sentence = SENTENCES[cause.code ?? ''];
    super(sentence?.(address) ?? `The gateway cannot listen on HOST ${address.host}, PORT ${address.port}: ${cause.message}`, {
      cause,
    });
  }
}
