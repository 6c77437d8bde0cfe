import { setTimeout as sleep } from 'node:timers/promises';
import { startJsonServer, type LoopbackServer } from './json-server.ts';

/** The tools of the shop, with the effect that the agents' settings name. */
export const shopTools = { pay: 'unsafe', book: 'keyed', look: 'read_only' } as const;

export type ShopTool = keyof typeof shopTools;

/** How long a tool takes before and after it takes effect, in milliseconds. */
const workMs = 250;

/** One time that a tool took effect. */
export interface Execution {
  tool: ShopTool;
  /** The mark of the turn, from the arguments of the call. */
  order: string;
  /** The idempotency key of the call. */
  key: string | undefined;
}

/** An MCP server that keeps a record of everything that took effect. */
export interface Shop extends LoopbackServer {
  executions: Execution[];
  /** The share of calls whose answer is lost after they took effect, from 0 to 1. */
  setLostAnswers: (share: number) => void;
}

interface RpcRequest {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: { order?: string }; _meta?: Record<string, unknown> };
}

const definitions = Object.keys(shopTools).map((name) => ({
  name,
  description: `Can ${name} an order.`,
  inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
}));

const serverInfo = { name: 'shop', version: '1.0.0' };

/** Starts the shop. A keyed tool takes effect once for each key, as a careful server does it. */
export async function startShop(): Promise<Shop> {
  const executions: Execution[] = [];
  const keys = new Set<string>();
  let lostShare = 0;
  const server = await startJsonServer(async (body, response) => {
    const { id, method, params = {} } = body as RpcRequest;
    if (id === undefined) return void response.writeHead(202).end();
    const isCall = method === 'tools/call';
    if (isCall) await execute(params);
    if (isCall && Math.random() < lostShare) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...toAnswer(method) }));
  });

  async function execute({ name, arguments: input, _meta: meta }: NonNullable<RpcRequest['params']>) {
    await sleep(workMs);
    const tool = name as ShopTool;
    const key = meta?.['holdfast/idempotencyKey'] as string | undefined;
    const isKnown = tool === 'book' && key !== undefined && keys.has(key);
    if (key !== undefined) keys.add(key);
    if (!isKnown) executions.push({ tool, order: input?.order ?? '', key });
    await sleep(workMs);
  }

  return {
    ...server,
    executions,
    setLostAnswers: (share) => {
      lostShare = share;
    },
  };
}

function toAnswer(method: string | undefined) {
  if (method === 'initialize')
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
  if (method === 'tools/list') return { result: { tools: definitions } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: 'done' }] } };
  return { error: { code: -32601, message: 'Method not found' } };
}
