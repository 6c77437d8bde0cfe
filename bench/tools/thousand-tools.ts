import { startTimedServer, type TimedServer } from './timed-server.ts';

interface RpcRequest {
  id?: number | string;
  method?: string;
}

/** The number of tools that the server has. */
const toolCount = 1000;

const subjects = ['invoice', 'customer', 'ticket', 'shipment', 'contract', 'employee', 'product', 'meeting'];
const verbs = ['create', 'find', 'update', 'archive', 'export'];

/** Returns a typical definition of a tool: a few documented parameters, about 700 bytes. */
function createTool(index: number) {
  const subject = subjects[index % subjects.length] ?? '';
  const verb = verbs[index % verbs.length] ?? '';
  const text = (description: string) => ({ type: 'string', description });
  return {
    name: `${verb}_${subject}_${index}`,
    description: `Can ${verb} the ${subject} of department ${index}, by its number or by the name it was filed under.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: text(`The number of the ${subject}, as printed on it.`),
        name: text(`The name that the ${subject} was filed under.`),
        since: text('Only what changed since this day, such as 2026-01-31.'),
        fields: { type: 'array', items: { type: 'string' }, description: 'The fields to answer with.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The most results.' },
      },
      required: ['id'],
    },
  };
}

const tools = Array.from({ length: toolCount }, (_, index) => createTool(index));

/** The tool that turns of the benchmark call. */
export const calledTool = tools[500]?.name ?? '';

const serverInfo = { name: 'thousand', version: '1.0.0' };
const answers: Record<string, unknown> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

/** Starts an MCP server with a thousand tools that answers each request immediately with one JSON body. */
export function startThousandTools(): Promise<TimedServer> {
  const bodies = new Map(Object.entries(answers).map(([method, result]) => [method, JSON.stringify(result)]));
  return startTimedServer((body, response, request) => {
    const { id, method = '' } = JSON.parse(body === '' ? '{}' : body) as RpcRequest;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    const found = bodies.get(method);
    const part = found
      ? `"result":${found}`
      : `"error":${JSON.stringify({ code: -32601, message: 'Method not found' })}`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${part}}`);
  });
}
