import type { KeyActor } from '../../domain/actor.ts';
import type { Connection, ConnectionInput } from '../../domain/connection.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { checkConnectionInput } from './connection-input.ts';
import { findProviderFacts } from './find-provider-facts.ts';
import { checkServerName } from './oauth/refusals.ts';
import { toAuthValues } from './secrets/to-auth-values.ts';

/**
 * Stores a new connection with its credentials sealed.
 * @throws HoldfastError `INVALID_INPUT`; `CONFLICT` for a name that is taken, also by a server of the operator;
 * `SECRETS_UNAVAILABLE`
 */
export async function createConnection(
  { connections: parts, mcpServers }: Pick<ConnectionDependencies, 'connections' | 'mcpServers'>,
  { workspaceId, apiKeyId: ownerId }: Pick<KeyActor, 'workspaceId' | 'apiKeyId'>,
  input: ConnectionInput,
): Promise<Connection> {
  const id = newId();
  const { name, provider, endpoint = null, variables = {}, auth, rateLimit = null } = input;
  checkConnectionInput(input, await findProviderFacts(parts, { workspaceId, name: provider }));
  checkServerName(name, mcpServers);
  const values = { endpoint, variables, rateLimit, ...toAuthValues(parts, { id, workspaceId }, auth) };
  return parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const created = await connections.createConnection({ id, name, provider, ownerId, ...values });
    const payload = { name, provider, endpoint, auth: auth.type };
    await audit.record({ type: 'connection.created', subjectId: id, payload });
    return created;
  });
}
