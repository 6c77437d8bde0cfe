import path from 'node:path';
import { loadConfig, type Config } from '../../src/main/config.ts';
import { prepareDatabase } from '../../src/main/dev/prepare-database.ts';
import type { Development } from '../../src/main/dev/development.ts';
import { runDevelopment } from '../../src/main/dev/run-development.ts';
import { findRunning } from '../../src/main/running.ts';

const source = path.resolve(import.meta.dirname, '../../src/main');

interface EverythingOptions {
  config: Config;
  dataDir: string;
  /** More settings for the programs. */
  environment: Record<string, string>;
  /** Whether a worker is started too. */
  worker: boolean;
  signal: AbortSignal;
}

/** Starts all programs of `npm start`, and returns the address of the API and a key for it. */
export async function startEverything({ config, dataDir, environment, worker, signal }: EverythingOptions) {
  const stopping = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<Development>();
  const running = runDevelopment({
    config: loadConfig({
      ...config.environment,
      PORT: '0',
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_LOG_LEVEL: 'error',
      ...environment,
    }),
    programs: { api: path.join(source, 'api.ts'), worker: path.join(source, 'worker.ts') },
    worker,
    // The banner is printed when all programs are ready.
    say: () => undefined,
    signal: AbortSignal.any([signal, stopping.signal]),
    prepareDatabase: async (database) => {
      const development = await prepareDatabase(database);
      resolve(development);
      return development;
    },
  });
  const development = await Promise.race([
    ready,
    running.then(() => Promise.reject(new Error('it stopped'))),
  ]);
  const origin = await Promise.race([waitForOrigin(dataDir), running.then(() => '')]);
  return {
    origin,
    apiKey: development.apiKey,
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined);
    },
  };
}

async function waitForOrigin(dataDir: string): Promise<string> {
  for (;;) {
    const running = findRunning(dataDir);
    if (running) return running.api;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
