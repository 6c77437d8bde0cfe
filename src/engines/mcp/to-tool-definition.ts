import type { Tool } from '@modelcontextprotocol/client';
import type { LeftOutTool, ToolDefinition } from '../../domain/discovered-tool.ts';
import { isDeeperThan, type JsonObject } from '../../domain/json.ts';
import { findProblem } from './readable-answers.ts';

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

/** The tools of a server that can be used, and those that cannot. */
export interface ToolListing {
  tools: ToolDefinition[];
  leftOut: LeftOutTool[];
}

/**
 * Maps the tools of a list, and says which are left out: definitions that are not valid or nested too deep, and the second
 * of two tools with one name, so that it cannot replace the first.
 */
export function toToolListing(tools: Tool[]): ToolListing {
  const byName = new Map<string, ToolDefinition>();
  const leftOut: LeftOutTool[] = [];
  for (const tool of tools) {
    const { name } = tool;
    const problem = findProblem(tool) ?? findMisfit(tool, byName);
    if (problem === null) byName.set(name, toToolDefinition(tool));
    else leftOut.push({ name, reason: problem });
  }
  return { tools: [...byName.values()], leftOut };
}

function findMisfit(tool: Tool, others: ReadonlyMap<string, unknown>): string | null {
  if (others.has(tool.name)) return 'another tool has this name';
  return isDeeperThan(tool, maxDepth) ? `its definition is nested more than ${maxDepth} levels deep` : null;
}
