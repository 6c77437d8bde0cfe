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
