import { setTimeout as sleep } from 'node:timers/promises';
import { startJsonServer, type LoopbackServer } from './json-server.ts';
import { toRpcAnswer } from './rpc-answer.ts';

/** The tools of the shop, with the effect that the agents' settings name. */
export const shopTools = { pay: 'unsafe', book: 'keyed', look: 'read_only' } as const;

export type ShopTool = keyof typeof shopTools;

/** The schema of the arguments of every tool. */
export const shopSchema = {
  type: 'object',
  properties: { order: { type: 'string' }, note: { type: 'string' } },
  required: ['order'],
};

/** How long a tool takes, in milliseconds: half of it before and half of it after it takes effect. */
const workMs = 500;

/** The arguments of a call. A person who changes them adds a note. */
export interface ShopArguments {
  order: string;
  note?: string;
}

/** One time that a tool took effect. */
export interface Execution {
  tool: ShopTool;
  /** The mark of the turn, from the arguments of the call. */
  order: string;
  arguments: ShopArguments;
  /** The idempotency key of the call. */
  key: string | undefined;
}

/** An MCP server that keeps a record of everything that took effect. */
export interface Shop extends LoopbackServer {
  executions: Execution[];
  /** The share of calls whose answer is lost after they took effect, from 0 to 1. */
  setLostAnswers: (share: number) => void;
  /** Lets each call take any time up to this, in milliseconds; null for the usual time. */
  setLongestWork: (longestMs: number | null) => void;
}

interface RpcRequest {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: ShopArguments; _meta?: Record<string, unknown> };
}

const definitions = Object.keys(shopTools).map((name) => ({
  name,
  description: `Can ${name} an order.`,
  inputSchema: shopSchema,
}));

/** Starts the shop. A keyed tool takes effect once for each key, as a careful server does it. */
export async function startShop(): Promise<Shop> {
  const executions: Execution[] = [];
  const keys = new Set<string>();
  let lostShare = 0;
  let longestWorkMs: number | null = null;
  const server = await startJsonServer(async (body, response) => {
    const { id, method, params = {} } = body as RpcRequest;
    if (id === undefined) return void response.writeHead(202).end();
    const isCall = method === 'tools/call';
    if (isCall) await execute(params);
    if (isCall && Math.random() < lostShare) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...toRpcAnswer(definitions, method) }));
  });

  async function execute({ name, arguments: input, _meta: meta }: NonNullable<RpcRequest['params']>) {
    const halfMs = (longestWorkMs === null ? workMs : Math.random() * longestWorkMs) / 2;
    await sleep(halfMs);
    const tool = name as ShopTool;
    const key = meta?.['holdfast/idempotencyKey'] as string | undefined;
    const isKnown = tool === 'book' && key !== undefined && keys.has(key);
    if (key !== undefined) keys.add(key);
    const given = input ?? { order: '' };
    if (!isKnown) executions.push({ tool, order: given.order, arguments: given, key });
    await sleep(halfMs);
  }

  return {
    ...server,
    executions,
    setLostAnswers: (share) => {
      lostShare = share;
    },
    setLongestWork: (longestMs) => {
      longestWorkMs = longestMs;
    },
  };
}
