import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHoldfastClient, type HoldfastClient } from '../../src/client/create-holdfast-client.ts';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { workerNodeOptions, workerVariables } from '../../src/main/dev/start-programs.ts';
import { waitForHttp } from '../../src/main/dev/wait-for-ready.ts';
import { startDevServer } from '../engines/dev-server.ts';
import type { EngineOptions } from '../engines/engine.ts';
import { seedDatabase } from '../holdfast/seed.ts';
import type { TimedProcess } from '../measure/processor-time.ts';
import type { Seed } from '../programs/contract.ts';
import { startProgram } from '../programs/program.ts';
import { startToolCallingModel } from '../tools/tool-calling-model.ts';
import { notedTool, startNotingServer, type NotingServer } from './noting-tool.ts';

/** The running programs of a measurement. */
export interface WaitingStage {
  seed: Seed;
  databaseUrl: string;
  /** The files of Temporal's data. */
  temporalFiles: string[];
  client: HoldfastClient;
  tool: NotingServer;
  /** The programs of Holdfast, Temporal and Postgres. The model and the tool run in this process. */
  processes: TimedProcess[];
}

/** The input for starting the programs. */
export interface WaitingStageOptions extends Omit<EngineOptions, 'databaseUrl'> {
  /** Receives the programs to stop, in the order in which they were started. */
  stack: AsyncDisposableStack;
}

/** Starts what `npm start` starts, with a model and a tool that answer at once. */
export async function startWaitingStage(options: WaitingStageOptions): Promise<WaitingStage> {
  const { folder, environment, say, stack } = options;
  const [model, tool] = await Promise.all([startToolCallingModel(), startNotingServer()]);
  stack.defer(model.close);
  stack.defer(tool.close);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, environment, say, preferredPort: 0 });
  stack.defer(postgres.stop);
  const engine = await startDevServer({ ...options, databaseUrl: postgres.url });
  stack.defer(engine.stop);
  const seed = await seedDatabase(postgres.url, { model: 'compatible/bench', tool: notedTool });
  const mcpConfig = path.join(folder, 'mcp.json');
  writeFileSync(mcpConfig, JSON.stringify({ mcpServers: { bench: { url: tool.url } } }));
  const { api, worker, origin } = await startPrograms(options, {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: engine.address,
    HOLDFAST_MCP_CONFIG: mcpConfig,
    HOLDFAST_COMPATIBLE_BASE_URL: model.url,
  });
  return {
    ...{ seed, tool, databaseUrl: postgres.url },
    temporalFiles: ['', '-wal'].map((suffix) => path.join(folder, `temporal.db${suffix}`)),
    client: createHoldfastClient({ baseUrl: origin, apiKey: seed.apiKey }),
    processes: [
      { name: 'api', pid: api.process.pid },
      { name: 'worker', pid: worker.process.pid },
      { name: 'temporal', pid: engine.process.pid },
      { name: 'postgres', pid: postgres.process.pid, withChildren: true },
    ],
  };
}

async function startPrograms(
  { folder, environment, signal, stack }: WaitingStageOptions,
  variables: Record<string, string>,
) {
  const port = await findFreePort();
  const start = async (name: string, more: { nodeArguments?: string[]; variables?: object } = {}) => {
    const program = await startProgram({
      ...{ name, folder, signal, file: `src/main/${name}.ts`, nodeArguments: more.nodeArguments ?? [] },
      environment: {
        ...toBareEnvironment(environment),
        ...more.variables,
        ...variables,
        TEMPORAL_NAMESPACE: 'default',
        TEMPORAL_TLS: 'false',
        HOLDFAST_TASK_QUEUE: 'waiting',
        HOLDFAST_DATA_DIR: folder,
        HOLDFAST_LOG_LEVEL: 'warn',
        HOLDFAST_ALLOW_LOOPBACK: 'true',
        PORT: String(port),
      },
    });
    stack.defer(async () => {
      await program.process.stop();
    });
    return program;
  };
  const worker = await start('worker', { nodeArguments: workerNodeOptions, variables: workerVariables });
  const api = await start('api');
  const origin = `http://127.0.0.1:${port}`;
  await waitForHttp(`${origin}/health/ready`, api.process);
  return { worker, api, origin };
}
