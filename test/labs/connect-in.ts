import { createConnection } from '../../src/modules/connections/create-connection.ts';
import { connectionInputSchema, type Connection, type ConnectionInput } from '../../src/domain/connection.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createConnections } from '../../src/main/create-connections.ts';
import { createKeyRing } from '../../src/platform/secrets/key-ring.ts';
import type { TurnLab } from './turn-lab.ts';

/** Stores a connection that the workers of a laboratory can open. */
export async function connectIn(
  { database, environment, workspaceId }: Pick<TurnLab, 'database' | 'environment' | 'workspaceId'>,
  input: Partial<ConnectionInput> & Pick<ConnectionInput, 'name'>,
): Promise<Connection> {
  const config = loadConfig(environment);
  const keyRing = createKeyRing(config.encryption);
  const parts = createConnections({
    config,
    database,
    keyRing,
    findProvider: () => Promise.resolve(undefined),
  });
  try {
    const complete = connectionInputSchema.parse({ provider: 'http', ...input });
    return await createConnection(parts, { workspaceId, apiKeyId: workspaceId }, complete);
  } finally {
    await parts.close();
  }
}
