import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { createClient } from '../../src/database/client.js';
import { createPool } from '../../src/database/pool.js';

/** Encodes a message of PostgreSQL's protocol. */
function toMessage(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const LOGGED_IN = Buffer.concat([toMessage('R', Buffer.alloc(4)), toMessage('Z', Buffer.from('I'))]);
const TERMINATED = toMessage('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

test('a server that ends a connection in the packet that completes the login → the query fails, and the process goes on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([LOGGED_IN, TERMINATED])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const location = { host: '127.0.0.1', port, user: 'a', database: 'a' };
  const pool = createPool(location);
  try {
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    const client = createClient(location);
    await client.connect().catch(() => undefined);
    await expect(client.query('SELECT 1')).rejects.toThrow();
  } finally {
    await pool.end();
    server.close();
  }
});
