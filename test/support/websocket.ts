import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import { toWebsocketUrl } from './subscribe.js';

/** A message of the protocol `graphql-transport-ws`. */
export interface WebsocketMessage {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has another payload
  readonly payload?: any;
}

/** Opens a WebSocket without a client of GraphQL. */
export function openWebsocket(url: string, options: ClientOptions = {}, protocol = 'graphql-transport-ws') {
  const socket = new WebSocket(toWebsocketUrl(url), protocol, options);
  const messages: WebsocketMessage[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    waiting.shift()?.();
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }));
  const refused = new Promise<number>((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('error', () => undefined);
  });
  return {
    socket,
    /** The code and the reason of the end. */
    closed,
    /** The HTTP status of a request that did not become a WebSocket. */
    refused,
    opened: once(socket, 'open').catch(() => undefined),
    send: (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async next(): Promise<WebsocketMessage | undefined> {
      if (messages.length === 0) await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), closed]);
      return messages.shift();
    },
  };
}
