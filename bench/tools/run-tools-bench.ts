import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { loadConfig, type Config } from '../../src/main/config.ts';
import { prepareDatabase } from '../../src/main/dev/prepare-database.ts';
import type { Development } from '../../src/main/dev/development.ts';
import { runDevelopment } from '../../src/main/dev/run-development.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { findRunning } from '../../src/main/running.ts';
import { measureTools, type Ask, type ToolsRow } from './measure-tools.ts';
import { startThousandTools } from './thousand-tools.ts';
import { startToolCallingModel } from './tool-calling-model.ts';

interface ToolsBenchOptions {
  config: Config;
  count: number;
  say: Say;
  signal: AbortSignal;
}

const source = path.resolve(import.meta.dirname, '../../src/main');

/** Measures tools with all programs of `npm start`, in a separate data folder. */
export async function runToolsBench({ config, count, say, signal }: ToolsBenchOptions): Promise<ToolsRow[]> {
  await using stack = new AsyncDisposableStack();
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = mkdtempSync(path.join(config.dataDir, 'bench-'));
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const [model, server] = await Promise.all([startToolCallingModel(), startThousandTools()]);
  stack.defer(model.close);
  stack.defer(server.close);
  say('starting Postgres, Temporal, the API and a worker (usually 10 seconds) …');
  const started = await startEverything({ config, dataDir, modelUrl: model.url, signal });
  stack.defer(started.stop);
  return await measureTools({ ask: createAsk(started), model, server, count });
}

interface EverythingOptions {
  config: Config;
  dataDir: string;
  modelUrl: string;
  signal: AbortSignal;
}

async function startEverything({ config, dataDir, modelUrl, signal }: EverythingOptions) {
  const stopping = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<Development>();
  const running = runDevelopment({
    config: loadConfig({
      ...config.environment,
      PORT: '0',
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_COMPATIBLE_BASE_URL: modelUrl,
      HOLDFAST_ALLOW_LOOPBACK: 'true',
      HOLDFAST_LOG_LEVEL: 'error',
    }),
    programs: { api: path.join(source, 'api.ts'), worker: path.join(source, 'worker.ts') },
    worker: true,
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

function createAsk({ origin, apiKey }: { origin: string; apiKey: string }): Ask {
  return async <Data>(method: string, resource: string, body?: unknown): Promise<Data> => {
    const response = await fetch(origin + resource, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { success: boolean; data: Data };
    if (!answer.success) throw new Error(`${method} ${resource} answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
}
