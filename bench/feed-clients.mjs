import { request } from 'node:http';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** Clients of the feed's streams, with as little work of their own as possible. */

const EVENT_ID = /^data: \{"id":(\d+),/gm;
const SUBSCRIPTION = 'subscription Feed($after: String!) { eventFeed(after: $after) { events { id } cursor upToDate } }';

/**
 * Opens a stream over HTTP. Resolves once its first bytes have arrived.
 * @param {string} url
 * @param {{token: string, parameters: string, format?: 'text/event-stream' | 'application/x-ndjson', onText?: (text: string) => void}} options
 * @returns {Promise<{close: () => void, stopReading: () => void}>}
 */
export function openStream(url, { token, parameters, format = 'text/event-stream', onText = () => undefined }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: token, accept: format };
    const sent = request(`${url}/v1/events/feed?${parameters}`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) return void reject(new Error(`A stream got ${response.statusCode}.`));
      response.setEncoding('utf8').on('data', onText);
      response.on('error', () => undefined);
      response.once('data', () => resolve({ close: () => sent.destroy(), stopReading: () => response.pause() }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * Receives new events over server-sent events.
 * @type {(url: string, token: string, onId: (id: number) => void) => Promise<{close: () => void}>}
 */
export function receiveBySse(url, token, onId) {
  let rest = '';
  return openStream(url, {
    token,
    parameters: 'after=now',
    onText(text) {
      rest += text;
      const end = rest.lastIndexOf('\n') + 1;
      for (const [, id] of rest.slice(0, end).matchAll(EVENT_ID)) onId(Number(id));
      rest = rest.slice(end);
    },
  });
}

/**
 * Receives new events by a subscription over a WebSocket. Resolves once the first page, which is empty, has arrived.
 * @type {(url: string, token: string, onId: (id: number) => void) => Promise<{close: () => void}>}
 */
export function receiveByWebSocket(url, token, onId) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: token },
    retryAttempts: 0,
  });
  return new Promise((resolve, reject) => {
    client.subscribe(
      { query: SUBSCRIPTION, variables: { after: 'now' } },
      {
        next({ data }) {
          for (const { id } of /** @type {any} */ (data).eventFeed.events) onId(id);
          resolve({ close: () => void client.dispose() });
        },
        error: reject,
        complete: () => undefined,
      },
    );
  });
}

/**
 * Subscribes to the whole log over a WebSocket, and reads nothing after the first page.
 * @type {(url: string, token: string) => Promise<{close: () => void}>}
 */
export function stopReadingWebSocket(url, token) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { authorization: token },
  });
  const send = (/** @type {object} */ message) => socket.send(JSON.stringify(message));
  socket.on('open', () => send({ type: 'connection_init' }));
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse(String(data));
      if (type === 'connection_ack')
        send({
          id: '1',
          type: 'subscribe',
          payload: { query: `subscription { eventFeed(after: "start") { events { id data preData } cursor } }` },
        });
      else if (type === 'next') {
        socket.pause();
        resolve({ close: () => socket.terminate() });
      } else if (type === 'error') reject(new Error(JSON.stringify(payload)));
    });
  });
}
