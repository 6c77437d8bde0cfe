import type { Tool } from '@modelcontextprotocol/client';
import type { ToolDefinition } from '../../domain/discovered-tool.ts';
import { isDeeperThan, type JsonObject } from '../../domain/json.ts';

/** Deeper than Holdfast stores JSON, and than any schema that people write. */
const maxDepth = 64;

/** Maps a tool of the protocol to the fields that its pin covers. */
function toToolDefinition(tool: Tool): ToolDefinition {
  const { name, description = '', inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    description,
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonObject }),
    ...(annotations === undefined ? {} : { annotations: annotations as JsonObject }),
  };
}

/**
 * Maps the usable tools of a list: leaves out definitions that are nested too deep, and keeps the first of two tools
 * with one name, so that the second cannot replace it.
 */
export function toToolDefinitions(tools: Tool[]): ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (!byName.has(tool.name) && !isDeeperThan(tool, maxDepth))
      byName.set(tool.name, toToolDefinition(tool));
  }
  return [...byName.values()];
}
