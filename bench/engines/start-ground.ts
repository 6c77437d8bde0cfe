import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import type { Place } from '../place.ts';
import { startCluster } from './cluster.ts';
import { startDevServer } from './dev-server.ts';
import type { EngineName } from './engine.ts';

const engines = { 'dev-server': startDevServer, cluster: startCluster };

interface GroundOptions {
  engine: EngineName;
  /** Settings of Postgres. @default none */
  settings?: Record<string, string>;
}

/** Starts Postgres and a Temporal server; null when there is no such server. */
export async function startGround(place: Place, { engine: name, settings }: GroundOptions) {
  const { folder, environment, say, stack } = place;
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir: folder, environment, say, preferredPort: 0 },
    ...(settings ? { settings } : {}),
  });
  stack.defer(postgres.stop);
  const databaseUrl = postgres.url;
  const engine = await engines[name]({ ...place, databaseUrl });
  if (engine === null) return null;
  stack.defer(engine.stop);
  return {
    databaseUrl,
    postgres: postgres.process,
    temporal: engine.process,
    /** The variables with which the programs of Holdfast find both. */
    variables: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: engine.address,
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_TLS: 'false',
    },
  };
}
