import { readFileSync } from 'node:fs';
import { createMcpClientManager } from '../../src/engines/mcp/mcp-client-manager.ts';
import { createLoopbackFetch, openConnectionTo } from './open-connections.ts';

const calls = 5;

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Linux counts the memory of the parent into `maxRSS` of a child, since a child is a copy of it until it runs its program. */
function peakRssBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(peak?.[1]) * 1024;
}

/** Calls a tool several times in a separate process and prints the peak and the remaining growth of memory. */
async function measure(endpoint: string): Promise<void> {
  const fetch = createLoopbackFetch();
  const manager = createMcpClientManager({ catalogue: new Map(), clientVersion: '1.2.3' });
  const target = openConnectionTo(fetch, { endpoint });
  await manager.listTools(target);
  const before = usedBytes();
  const rssBefore = process.memoryUsage.rss();
  const codes: (string | undefined)[] = [];
  for (let times = 0; times < calls; times += 1) {
    const result = await manager.callTool({ target, tool: 'note', arguments: {} });
    codes.push(result.status === 'failed' ? result.error.code : undefined);
  }
  const peakBytes = peakRssBytes() - rssBefore;
  await manager.close();
  await fetch.close();
  // The garbage collector frees the read data only after the event loop has released them.
  usedBytes();
  await new Promise((resolve) => setImmediate(resolve));
  process.send?.({ codes, grownBytes: usedBytes() - before, peakBytes });
}

await measure(process.argv[2] ?? '');
