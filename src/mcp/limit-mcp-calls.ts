import { limitConnection, toMaxWaitMs, type RateLimiter } from '../domain/rate-limiter.ts';
import { defaultCallTimeoutMs } from './call-errors.ts';
import type { McpClientManager } from './mcp-client-manager.ts';

type CallTool = McpClientManager['callTool'];

/**
 * Holds calls to MCP servers to the limits that operators set for their connections: a call waits within its time, or
 * the model is told when to try again. Servers of the operator's catalogue have no limit.
 */
export function limitMcpCalls(callTool: CallTool, limiter: RateLimiter): CallTool {
  return async (call) => {
    if (!('connection' in call.target)) return callTool(call);
    const { target, signal, timeoutMs = defaultCallTimeoutMs } = call;
    const deadline = Date.now() + timeoutMs;
    const limited = await limitConnection(limiter, target, { maxWaitMs: toMaxWaitMs(timeoutMs), signal });
    return limited ?? callTool({ ...call, timeoutMs: Math.max(1, deadline - Date.now()) });
  };
}
