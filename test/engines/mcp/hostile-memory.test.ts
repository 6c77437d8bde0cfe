import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startHostileServer } from '../../servers/hostile-mcp-server.ts';
import { cleanups } from '../../labs/mcp-manager-lab.ts';

const program = fileURLToPath(new URL('../../labs/measure-hostile-memory.ts', import.meta.url));
const limit = 64 * 1024 * 1024;

interface Measured {
  codes: string[];
  grownBytes: number;
  peakBytes: number;
}

describe.each(['sends-100-mb', 'sends-100-mb-of-events'] as const)('a server that %s', (hostility) => {
  it('increases memory by less than 64 MB, at its peak and afterwards', async () => {
    const server = await startHostileServer(hostility);
    cleanups.push(() => server.close());
    const child = fork(program, [server.url], { execArgv: ['--expose-gc'] });
    cleanups.push(() => child.kill());
    const [measured] = (await once(child, 'message')) as [Measured];
    expect(measured.codes).toEqual(Array.from({ length: 5 }, () => 'RESPONSE_TOO_LARGE'));
    expect(measured.grownBytes).toBeLessThan(limit);
    expect(measured.peakBytes).toBeLessThan(limit);
  });
});
