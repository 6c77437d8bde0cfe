import type { Knex } from 'knex';
import type { Connector } from '../../../domain/connector.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { createAgentRepository } from '../agent-repository.ts';
import {
  connectorNotFound,
  connectorRows,
  createConnectorRepository,
  toConnector,
} from '../../connections/connectors/connector-repository.ts';

/** The connectors that are attached to agents; a provisioning gives an agent their tools. */
export function createAgentConnectorRepository(trx: Knex) {
  return {
    /**
     * Attaches a connector. A connector that is attached already stays attached.
     * @throws HoldfastError `NOT_FOUND` for the agent or the connector
     */
    attach: async (agentId: string, connectorId: string): Promise<Connector> => {
      await createAgentRepository(trx).getAgent(agentId);
      // The foreign key would accept a connector of another workspace, this query does not. Its lock keeps the connector
      // from being deleted before the insert.
      const locked = await trx('connectors')
        .where({ id: connectorId })
        .forKeyShare()
        .first<{ id: string } | undefined>('id');
      if (!locked) throw connectorNotFound(connectorId);
      await trx('agent_connectors')
        .insert({ agent_id: agentId, connector_id: connectorId })
        .onConflict(['agent_id', 'connector_id'])
        .ignore();
      return createConnectorRepository(trx).getConnector(connectorId);
    },

    /** @throws HoldfastError `NOT_FOUND` when it is not attached */
    detach: async (agentId: string, connectorId: string): Promise<void> => {
      const deleted = await trx('agent_connectors')
        .where({ agent_id: agentId, connector_id: connectorId })
        .delete();
      if (deleted > 0) return;
      throw new HoldfastError('NOT_FOUND', `The agent ${agentId} has no connector ${connectorId}.`);
    },

    /** Lists the connectors of an agent in the order in which they were registered. */
    listAttached: async (agentId: string): Promise<Connector[]> => {
      const rows = await connectorRows(trx)
        .join('agent_connectors as a', 'a.connector_id', 'c.id')
        .where('a.agent_id', agentId)
        .orderBy('c.id');
      return rows.map(toConnector);
    },
  };
}
