import type { Knex } from 'knex';
import { createAgentRepository } from '../db/agents/agent-repository.ts';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { createConnectorRepository } from '../db/connections/connector-repository.ts';
import { createKnowledgeBaseRepository } from '../db/knowledge/knowledge-base-repository.ts';
import type { Connection } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { WorkflowTargets } from '../domain/workflow-target.ts';
import { isUuid } from '../domain/uuid.ts';
import type { ToolLookups } from '../tools/tool-type.ts';

interface LookupParts {
  trx: Knex;
  workspaceId: string;
  dependencies: { mcpServers?: readonly string[]; workflowTypes: WorkflowTargets };
}

/** Builds the lookups that the check of a tool asks, inside one transaction. */
export function createToolLookups({ trx, workspaceId, dependencies }: LookupParts): ToolLookups {
  const { mcpServers, workflowTypes } = dependencies;
  const connectors = createConnectorRepository(trx);
  const known = new Map<string, Promise<Connection>>();
  return {
    getConnection: (id) => {
      // Many tools of one batch are called over one connection.
      const found = known.get(id) ?? getConnection(trx, id);
      known.set(id, found);
      return found;
    },
    findConnector: async (id) => (isUuid(id) ? connectors.findConnector(id) : null),
    findAgent: (id) => findByUuid(id, () => createAgentRepository(trx).getAgent(id)),
    hasKnowledgeBase: async (id) =>
      (await findByUuid(id, () => createKnowledgeBaseRepository(trx).getKnowledgeBase(id))) !== null,
    findServerNames: (names) => connectors.findServerNames(names),
    mcpServers,
    findWorkflow: (id) => workflowTypes.find(workspaceId, id),
    listWorkflows: () => workflowTypes.list(workspaceId),
  };
}

async function getConnection(trx: Knex, id: string): Promise<Connection> {
  const found = await createConnectionRepository(trx).findConnection(id);
  if (found) return found.connection;
  throw new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
}

async function findByUuid<Found>(id: string, get: () => Promise<Found>): Promise<Found | null> {
  if (!isUuid(id)) return null;
  try {
    return await get();
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
