import { limitConnection, toMaxWaitMs, type RateLimiter } from '../../domain/rate-limiter.ts';
import { defaultCallTimeoutMs } from './call-errors.ts';
import type { McpClientManager } from './mcp-client-manager.ts';

type CallTool = McpClientManager['callTool'];

/**
 * Wraps `callTool` with the rate limits of connections: a call waits for its budget within its timeout; when that is
 * too short, the result says when to try again. Servers of the operator's catalogue have no limit.
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
