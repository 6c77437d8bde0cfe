import path from 'node:path';
import { findTemporal } from '../../src/main/dev/find-temporal.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import type { Engine, EngineOptions } from './engine.ts';

/** Starts the development server the way `npm start` does: with a file for its data. */
export async function startDevServer(options: EngineOptions): Promise<Engine> {
  const { folder, environment } = options;
  return startTemporalServer({
    binary: await findTemporal(options),
    port: await findFreePort(),
    uiPort: await findFreePort(),
    databaseFile: path.join(folder, 'temporal.db'),
    logFile: path.join(folder, 'temporal-dev-server.log'),
    environment,
  });
}
