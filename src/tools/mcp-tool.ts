import type { ToolExecutor, ToolRun } from '../domain/tool.ts';
import { defaultCallTimeoutMs } from '../mcp/call-errors.ts';
import type { McpClientManager } from '../mcp/mcp-client-manager.ts';
import { failedResult } from './failed-result.ts';

/** Time that the operator gave a tool is all its own; otherwise the call ends before its activity does. */
function timeoutOf({ tool, timeoutMs }: ToolRun): number {
  return tool.settings?.timeoutMs === undefined ? Math.min(timeoutMs, defaultCallTimeoutMs) : timeoutMs;
}

/** Builds the executor of tools of type `mcp`: `config.server` names an entry of the operator's catalogue. */
export function createMcpTool(mcp: Pick<McpClientManager, 'callTool'>): ToolExecutor {
  return async (run) => {
    run.signal.throwIfAborted();
    const { server, tool: remoteName, connectionId } = run.tool.config;
    if (server === undefined) {
      const found =
        connectionId === undefined ? 'neither' : 'a "connectionId", which is not available on this server';
      const message = `The tool "${run.tool.name}" needs "config.server", the name of an MCP server; found ${found}.`;
      return failedResult('INVALID_TOOL_CONFIG', message);
    }
    return mcp.callTool({
      server,
      tool: remoteName ?? run.tool.name,
      arguments: run.arguments,
      idempotencyKey: run.idempotencyKey,
      timeoutMs: timeoutOf(run),
      signal: run.signal,
      onProgress: run.onProgress,
    });
  };
}
