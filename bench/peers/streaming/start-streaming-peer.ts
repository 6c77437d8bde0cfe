import { startEmbeddedPostgres } from '../../../src/main/dev/embedded-postgres.ts';
import type { Place } from '../../place.ts';
import type { LoadRequests, ModelRequests } from '../../programs/contract.ts';
import { startInPlace } from '../../programs/start-in-place.ts';
import type { LoadTarget } from '../../scale/load-target.ts';
import { withoutTelemetry, type PeerRow } from '../catalogue.ts';
import type { StreamingRequests } from './contract.ts';

/** Starts the program of a row, its model, its clients and the stores that it needs, all new and for it alone. */
export async function startStreamingPeer(place: Place, row: PeerRow): Promise<LoadTarget> {
  const { folder, stack } = place;
  const postgres = row.usesPostgres ? await startPostgres(place) : null;
  const model = await startInPlace<ModelRequests>(place, {
    ...{ name: 'model', file: 'bench/programs/scale-model.ts' },
  });
  const program = await startInPlace<StreamingRequests>(place, {
    ...{ name: row.name, file: 'bench/peers/streaming/program.ts', variables: withoutTelemetry },
  });
  const { origin, processes } = await program.ask('open', {
    ...{ module: row.module, settings: row.settings, folder },
    databaseUrl: postgres?.url ?? '',
    modelUrl: await model.ask('readUrl'),
  });
  // A program that has failed may not answer.
  stack.defer(() => program.ask('close').catch(() => undefined));
  const load = await startInPlace<LoadRequests>(place, {
    ...{ name: 'load', file: 'bench/programs/scale-load.ts' },
  });
  return {
    ...{ row: row.name, model, load, workers: [program], origins: [origin] },
    ...{ apiKey: 'none', agentId: 'none', databaseUrl: postgres?.url ?? null },
    groups: {
      program: [program.process],
      ...(postgres ? { postgres: [postgres.process] } : {}),
      ...(processes.length > 0 ? { engine: processes } : {}),
      outside: [model.process, load.process],
    },
  };
}

async function startPostgres({ folder, environment, say, stack }: Place) {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, environment, say, preferredPort: 0 });
  stack.defer(postgres.stop);
  return postgres;
}
