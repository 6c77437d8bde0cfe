import type { JsonObject } from './json.ts';

/** The description of the gateway for a model. */
export const gatewayDescription =
  'Reaches every tool of the connected MCP (Model Context Protocol) servers and providers. "list" shows the tools, those that fit ' +
  '"query" best first, or one tool with its input schema when "server" and "tool" are named; "call" calls one.';

/** The arguments of the gateway. */
export const gatewaySchema: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['list', 'call'], description: 'What to do' },
    server: { type: 'string', description: 'Name of the server (required for call)' },
    tool: { type: 'string', description: 'Name of the tool (required for call)' },
    args: { type: 'object', description: 'Arguments of the tool (for call)' },
    query: { type: 'string', description: 'What the tool should do, in a few words (for list)' },
  },
  required: ['action'],
};
