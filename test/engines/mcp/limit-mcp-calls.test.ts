import { expect, test } from 'vitest';
import type { RateLimitGrant, RateLimitRequest } from '../../../src/domain/rate-limiter.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { limitMcpCalls } from '../../../src/engines/mcp/limit-mcp-calls.ts';
import type { McpToolCall } from '../../../src/engines/mcp/call-tool.ts';
import { openTestConnection } from '../../labs/open-connection.ts';

const done: ToolResult = { status: 'succeeded', text: 'done' };
const limit = { tokensPerMinute: 2, tokensPerRequest: 1 };

function limited(grant: RateLimitGrant) {
  const calls: McpToolCall[] = [];
  const requests: RateLimitRequest[] = [];
  const callTool = limitMcpCalls(
    (call) => {
      calls.push(call);
      return Promise.resolve(done);
    },
    {
      take: (request) => {
        requests.push(request);
        return Promise.resolve(grant);
      },
    },
  );
  return { calls, requests, callTool };
}

const call = { tool: 'look_up', arguments: {}, timeoutMs: 5_000 };

test('a call over a connection with a rate limit waits for the limit and keeps the rest of its time', async () => {
  const target = openTestConnection({ provider: 'mcp', baseUrl: 'http://127.0.0.1:1', rateLimit: limit });
  const { calls, requests, callTool } = limited({ granted: true });
  expect(await callTool({ ...call, target })).toEqual(done);
  expect(requests).toMatchObject([{ key: target.connection.id, limit, maxWaitMs: 4_000 }]);
  expect(calls[0]?.timeoutMs).toBeLessThanOrEqual(5_000);
});

test('a call that would wait too long is not sent, and the model is told when to retry', async () => {
  const target = openTestConnection({ provider: 'mcp', baseUrl: 'http://127.0.0.1:1', rateLimit: limit });
  const { calls, callTool } = limited({ granted: false, retryAfterMs: 30_000 });
  expect(await callTool({ ...call, target })).toMatchObject({
    status: 'failed',
    error: { code: 'RATE_LIMITED', details: { retryAfterMs: 30_000 } },
  });
  expect(calls).toEqual([]);
});

test('calls over a connection without a limit, and to a server of the operator, are not limited', async () => {
  const target = openTestConnection({ provider: 'mcp', baseUrl: 'http://127.0.0.1:1' });
  const { calls, requests, callTool } = limited({ granted: false, retryAfterMs: 1 });
  await callTool({ ...call, target });
  await callTool({ ...call, target: { server: 'lab' } });
  expect([calls.length, requests.length]).toEqual([2, 0]);
});
