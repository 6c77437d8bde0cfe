import type { ToolExecutor, ToolType } from '../domain/tool.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import type { McpClientManager } from '../mcp/mcp-client-manager.ts';
import { createFunctionTool } from './function-tool.ts';
import { createMcpTool } from './mcp-tool.ts';
import { createUnavailableTool } from './unavailable-tool.ts';

/** What the tools of an agent run with. */
export interface ToolDependencies {
  /** For the addresses that a tenant or a model names. */
  fetch: GuardedFetch;
  mcp: Pick<McpClientManager, 'callTool'>;
  /** @default the clock of the machine */
  now?: () => Date;
}

/** Builds the executor of each type of tool. */
export function createToolExecutors(dependencies: ToolDependencies): Record<ToolType, ToolExecutor> {
  const { fetch, mcp, now = () => new Date() } = dependencies;
  return {
    function: createFunctionTool({ fetch, now }),
    mcp: createMcpTool(mcp),
    workflow: createUnavailableTool('workflow'),
    knowledge_base: createUnavailableTool('knowledge_base'),
    agent: createUnavailableTool('agent'),
  };
}
