import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createHoldfastClient,
  type HoldfastClient,
} from '../../src/clients/client/create-holdfast-client.ts';
import { startGround } from '../engines/start-ground.ts';
import { seedDatabase } from '../holdfast/seed.ts';
import type { TimedProcess } from '../measure/processor-time.ts';
import type { Place } from '../place.ts';
import type { Seed } from '../programs/contract.ts';
import { startApiInPlace, startProgramInPlace } from '../programs/start-in-place.ts';
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

/** Starts what `npm start` starts, with a model and a tool that answer immediately. */
export async function startWaitingStage(place: Place): Promise<WaitingStage> {
  const { folder, stack } = place;
  const [model, tool] = await Promise.all([startToolCallingModel(), startNotingServer()]);
  stack.defer(model.close);
  stack.defer(tool.close);
  const ground = await startGround(place, { engine: 'dev-server' });
  if (!ground) throw new Error('There is no Temporal server.');
  const { databaseUrl, postgres, temporal } = ground;
  const seed = await seedDatabase(databaseUrl, { model: 'compatible/bench', tool: notedTool });
  const mcpConfig = path.join(folder, 'mcp.json');
  writeFileSync(mcpConfig, JSON.stringify({ mcpServers: { bench: { url: tool.url } } }));
  const variables = {
    ...ground.variables,
    HOLDFAST_MCP_CONFIG: mcpConfig,
    HOLDFAST_COMPATIBLE_BASE_URL: model.url,
    HOLDFAST_TASK_QUEUE: 'waiting',
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_LOG_LEVEL: 'warn',
    HOLDFAST_ALLOW_LOOPBACK: 'true',
  };
  const worker = await startProgramInPlace(place, { name: 'worker', file: 'src/main/worker.ts', variables });
  const api = await startApiInPlace(place, variables);
  return {
    ...{ seed, tool, databaseUrl },
    temporalFiles: ['', '-wal'].map((suffix) => path.join(folder, `temporal.db${suffix}`)),
    client: createHoldfastClient({ baseUrl: api.origin, apiKey: seed.apiKey }),
    processes: [
      { name: 'api', pid: api.process.pid },
      { name: 'worker', pid: worker.process.pid },
      { name: 'temporal', pid: temporal.pid },
      { name: 'postgres', pid: postgres.pid, withChildren: true },
    ],
  };
}
