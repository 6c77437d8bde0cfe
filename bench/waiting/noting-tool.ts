import { startJsonServer, type LoopbackServer } from '../faults/json-server.ts';
import { toRpcAnswer } from '../faults/rpc-answer.ts';
import type { ToolInput } from '../../src/domain/tool.ts';

const schema = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] };

/** The definition of the tool for agents: each of its calls waits for an approval. */
export const notedTool: ToolInput = {
  type: 'mcp',
  name: 'note',
  description: 'Notes a tag.',
  schema,
  config: { server: 'bench' },
  settings: { approval: 'ask' },
};

/** An MCP server whose tool notes when it was called. */
export interface NotingServer extends LoopbackServer {
  /** Waits until the tool is called with a tag; the time is that of `performance.now()` in this process. */
  called: (tag: string) => Promise<number>;
}

interface RpcRequest {
  id?: number | string;
  method?: string;
  params?: { arguments?: { tag?: string } };
}

/** Starts the server. */
export async function startNotingServer(): Promise<NotingServer> {
  const waiting = new Map<string, (at: number) => void>();
  const tools = [{ name: notedTool.name, description: notedTool.description, inputSchema: schema }];
  const server = await startJsonServer((body, response) => {
    const { id, method, params } = body as RpcRequest;
    const tag = params?.arguments?.tag;
    if (method === 'tools/call' && tag !== undefined) waiting.get(tag)?.(performance.now());
    if (id === undefined) {
      response.writeHead(202).end();
      return Promise.resolve();
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...toRpcAnswer(tools, method) }));
    return Promise.resolve();
  });
  return {
    ...server,
    called: (tag) => new Promise((resolve) => waiting.set(tag, resolve)),
  };
}
