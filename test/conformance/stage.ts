import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { scopes } from '../../src/domain/scope.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { Config } from '../../src/main/config.ts';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { findTemporal } from '../../src/main/dev/find-temporal.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startProcess } from '../../src/main/dev/processes.ts';
import type { Say } from '../../src/main/dev/say.ts';
import { startTemporalServer } from '../../src/main/dev/temporal-server.ts';
import { waitForMessage } from '../../src/main/dev/wait-for-ready.ts';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';

/** The client-id metadata document that the suite expects; it never reads it. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

interface StageOptions {
  config: Config;
  /** A folder for data and logs. */
  folder: string;
  say: Say;
  signal: AbortSignal;
  /** Receives the programs to stop, in the order in which they were started. */
  stack: AsyncDisposableStack;
}

/** The API that the client programs of the suite use. */
export interface Stage {
  baseUrl: string;
  apiKey: string;
}

/** Starts Postgres, Temporal, the API and a worker, once for all scenarios, and creates a workspace with a key. */
export async function setStage({ config, folder, say, signal, stack }: StageOptions): Promise<Stage> {
  const { cacheDir, temporalCli, environment } = config;
  const postgres = await startEmbeddedPostgres({ dataDir: folder, environment, say, preferredPort: 0 });
  stack.defer(postgres.stop);
  const temporal = await startTemporalServer({
    binary: await findTemporal({ temporalCli, cacheDir, environment, say, signal }),
    port: await findFreePort(),
    logFile: path.join(folder, 'temporal.log'),
    environment,
  });
  stack.defer(temporal.stop);
  const port = await findFreePort();
  const variables = {
    ...toBareEnvironment(environment),
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TLS: 'false',
    HOLDFAST_TASK_QUEUE: 'conformance',
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_ENCRYPTION_KEYS: `conformance:${randomBytes(32).toString('base64')}`,
    HOLDFAST_ALLOW_LOOPBACK: 'true',
    HOLDFAST_CLIENT_METADATA_URL: clientMetadataUrl,
    PORT: String(port),
  };
  for (const name of ['api', 'worker']) {
    const managed = await startProcess({
      name,
      file: process.execPath,
      arguments: [path.join(import.meta.dirname, `../../src/main/${name}.ts`)],
      environment: variables,
      output: { logFile: path.join(folder, `${name}.log`) },
      messages: true,
    });
    stack.defer(async () => {
      await managed.stop();
    });
    await waitForMessage(managed);
  }
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey: await createWorkspace(postgres.url) };
}

async function createWorkspace(databaseUrl: string): Promise<string> {
  const database = connectDatabase({ url: databaseUrl });
  try {
    const workspaceId = newId();
    await database.system('workspaces').insert({ id: workspaceId, name: 'conformance' });
    const id = newId();
    const { text, secretHash } = createApiKeyText(id);
    const key = { id, name: 'conformance', secretHash, scopes, workspaceId };
    await createApiKeyRepository(database.system).createApiKey(key);
    return text;
  } finally {
    await database.close();
  }
}
