import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import { findFreePort } from '../servers/mcp-servers.ts';

/** A Temporal server that keeps its data only in memory. */
export interface LosableTemporal {
  address: string;
  /** Replaces the server by an empty one at the same address, as after the loss of its database. */
  lose: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a separate Temporal server for tests that lose all of its workflows. */
export async function startLosableTemporal(): Promise<LosableTemporal> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-lost-'));
  const port = await findFreePort();
  const start = () =>
    startTemporalServer({
      binary: inject('temporalBinary'),
      port,
      logFile: path.join(folder, 'temporal.log'),
      environment: process.env,
    });
  let server = await start();
  return {
    address: server.address,
    lose: async () => {
      await server.stop();
      server = await start();
    },
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
