import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A client of the SDK. It has read the tools, so it compares each result with the schema of its tool. */
export async function connectMcp(transport: Transport) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const errors: Error[] = [];
  client.onerror = (error) => void errors.push(error);
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    client,
    tools,
    /** Errors that reached no caller. */
    errors,
    async call(name: string, args: object = {}) {
      const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
      const [content] = result.content;
      if (content?.type !== 'text') throw new Error('The result has no text.');
      // biome-ignore lint/suspicious/noExplicitAny: the schema of the tool describes the result; tests inspect it
      return { isError: result.isError === true, text: content.text, found: result.structuredContent as any };
    },
  };
}

export type McpTestClient = Awaited<ReturnType<typeof connectMcp>>;

/** @param url the address of a gateway, without a path */
export function connectMcpOverHttp(url: string, token: string): Promise<McpTestClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  // The types of the SDK are not made for `exactOptionalPropertyTypes`.
  return connectMcp(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as Transport);
}
