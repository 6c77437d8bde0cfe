import type { JsonObject } from '../../src/domain/json.ts';
import type { ToolInput, ToolSettings } from '../../src/domain/tool.ts';

const anyObject: JsonObject = { type: 'object', properties: {} };

/** Returns a tool of the MCP server `lab` under its remote name. */
export function mcpTool(name: string, settings?: ToolSettings, schema: JsonObject = anyObject): ToolInput {
  return {
    type: 'mcp',
    name,
    description: `The tool ${name}.`,
    schema,
    config: { server: 'lab' },
    ...(settings ? { settings } : {}),
  };
}

/** Returns the tool `mcp`, a gateway to servers of the operator. */
export function gatewayTool(settings?: ToolSettings, servers: string[] = ['lab']): ToolInput {
  return { ...mcpTool('mcp', settings), type: 'mcp', config: { gateway: true, servers } };
}

/** The built-in function that calculates. */
export const calculate: ToolInput = {
  type: 'function',
  name: 'calculate',
  description: 'Calculates.',
  schema: {
    type: 'object',
    properties: { expression: { type: 'string' } },
    required: ['expression'],
    additionalProperties: false,
  },
  config: { functionName: 'calculate' },
};

/** The built-in function that asks the user. */
export const askUser: ToolInput = {
  type: 'function',
  name: 'ask_user',
  description: 'Asks the user.',
  schema: { type: 'object' },
  config: {},
};

/** Returns a tool that the program of the caller executes. */
export function clientTool(name: string, settings?: ToolSettings): ToolInput {
  return {
    type: 'function',
    name,
    description: `The tool ${name}.`,
    schema: anyObject,
    config: { runs: 'client' },
    ...(settings ? { settings } : {}),
  };
}

const amountSchema: JsonObject = {
  type: 'object',
  properties: { amount: { type: 'integer' } },
  required: ['amount'],
};

/** The tool `pay` of the MCP server `lab`, whose calls need an approval. */
export function payTool(settings: ToolSettings = { approval: 'ask' }): ToolInput {
  return mcpTool('pay', settings, amountSchema);
}

/** An answer of a model that calls `pay` for each of the amounts. */
export function callPay(...amounts: number[]) {
  return { toolCalls: amounts.map((amount) => ({ name: 'pay', arguments: { amount } })) };
}
