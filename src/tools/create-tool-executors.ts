import type { SearchKnowledge } from '../domain/knowledge.ts';
import type { ToolExecutor, ToolType } from '../domain/tool.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import type { FunctionRegistry } from './functions/function-registry.ts';
import { createFunctionTool } from './function-tool.ts';
import type { McpToolDependencies } from './mcp/call-remote-tool.ts';
import { createMcpTool } from './mcp-tool.ts';
import { createKnowledgeBaseTool } from './knowledge-base-tool.ts';
import { createUnavailableTool } from './unavailable-tool.ts';

/** What the tools of an agent run with. */
export interface ToolDependencies {
  /** For the addresses that a tenant or a model names. */
  fetch: GuardedFetch;
  mcp: McpToolDependencies;
  functions: FunctionRegistry;
  knowledge: { search: SearchKnowledge };
  /** @default the clock of the machine */
  now?: () => Date;
}

/** Builds the executor of each type of tool. */
export function createToolExecutors(dependencies: ToolDependencies): Record<ToolType, ToolExecutor> {
  const { fetch, mcp, functions, knowledge, now = () => new Date() } = dependencies;
  return {
    function: createFunctionTool({ functions, fetch, now }),
    mcp: createMcpTool(mcp),
    workflow: createUnavailableTool('workflow'),
    knowledge_base: createKnowledgeBaseTool(knowledge),
    agent: createUnavailableTool('agent'),
  };
}
