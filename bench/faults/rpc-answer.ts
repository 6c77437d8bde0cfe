const serverInfo = { name: 'bench', version: '1.0.0' };

/** Returns the answer of an MCP server with these tools to a method of JSON-RPC. Every call is "done". */
export function toRpcAnswer(tools: object[], method: string | undefined) {
  if (method === 'initialize')
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
  if (method === 'tools/list') return { result: { tools } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: 'done' }] } };
  return { error: { code: -32601, message: 'Method not found' } };
}
