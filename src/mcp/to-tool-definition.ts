import type { Tool } from '@modelcontextprotocol/client';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { isDeeperThan, type JsonObject } from '../domain/json.ts';

/** Deeper than anything that is stored, and than any schema that people write. */
const maxDepth = 64;

/** What a server says of a tool, as far as its pin covers it. */
export function toToolDefinition(tool: Tool): ToolDefinition {
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
 * The tools of a list that can be used: none that is nested without end, and of two with one name the first, which
 * the second could hide otherwise.
 */
export function toToolDefinitions(tools: Tool[]): ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (!byName.has(tool.name) && !isDeeperThan(tool, maxDepth))
      byName.set(tool.name, toToolDefinition(tool));
  }
  return [...byName.values()];
}
