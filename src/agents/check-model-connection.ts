import type { Knex } from 'knex';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import type { Agent } from '../domain/agent.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';

/**
 * Checks that the model of an agent can be called with the connection that the agent names for it.
 * @throws HoldfastError `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`, `INVALID_INPUT` for a connection to
 * another vendor
 */
export async function checkModelConnection(
  trx: Knex,
  { model, modelConnectionId: id }: Pick<Agent, 'model' | 'modelConnectionId'>,
): Promise<void> {
  if (id === null) return;
  const found = await createConnectionRepository(trx).findConnection(id);
  if (!found) {
    throw new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
  }
  const { name, status, provider } = found.connection;
  const [vendor = ''] = model.split('/');
  if (provider !== vendor && model.includes('/')) {
    const message = `Connection provider mismatch: expected ${vendor}, got ${provider}`;
    throw createInvalidInput([{ field: 'modelConnectionId', message }]);
  }
  if (status === 'active') return;
  throw new HoldfastError('CONNECTION_NOT_ACTIVE', `Connection ${name} is ${status}. Please reconnect.`);
}
