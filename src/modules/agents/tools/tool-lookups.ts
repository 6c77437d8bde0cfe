import type { Knex } from 'knex';
import { createAgentRepository } from '../agent-repository.ts';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import { createConnectorRepository } from '../../connections/connectors/connector-repository.ts';
import { createKnowledgeBaseRepository } from '../../knowledge/bases/knowledge-base-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { WorkflowTargets } from '../../../domain/workflow-target.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { ToolLookups } from '../../../engines/tools/tool-type.ts';
import { createBatchedLookup } from './batched-lookup.ts';

interface LookupParts {
  trx: Knex;
  workspaceId: string;
  dependencies: { mcpServers?: readonly string[]; workflowTypes: WorkflowTargets };
}

/**
 * Builds the lookups for the checks of tools, inside one transaction. One query for each kind finds everything that the
 * tools of a list name, as long as the tools are checked at the same time.
 */
export function createToolLookups({ trx, workspaceId, dependencies }: LookupParts): ToolLookups {
  const { mcpServers, workflowTypes } = dependencies;
  const connectors = createConnectorRepository(trx);
  const knowledgeBases = createKnowledgeBaseRepository(trx);
  const inTurn = createTurns();
  const byUuid = <Found>(findAll: FindAll<Found>) => toUuidLookup(createBatchedLookup(inTurn(findAll)));
  const findConnection = byUuid((ids) => createConnectionRepository(trx).findConnections(ids));
  const findKnowledgeBase = byUuid(async (ids) => toSelfMap(await knowledgeBases.findKnown(ids)));
  const findServer = createBatchedLookup(
    inTurn(async (names) => toSelfMap(await connectors.findServerNames(names))),
  );
  return {
    getConnection: async (id) => {
      const found = await findConnection(id);
      if (found) return found;
      throw new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
    },
    findConnector: byUuid((ids) => connectors.findConnectors(ids)),
    findAgent: byUuid((ids) => createAgentRepository(trx).findAgentNames(ids)),
    hasKnowledgeBase: async (id) => (await findKnowledgeBase(id)) !== null,
    findServerNames: async (names) => {
      const found = await Promise.all(names.map(findServer));
      return new Set(found.filter((name) => name !== null));
    },
    mcpServers,
    findWorkflow: (id) => workflowTypes.find(workspaceId, id),
    listWorkflows: () => workflowTypes.list(workspaceId),
  };
}

type FindAll<Found> = (keys: string[]) => Promise<ReadonlyMap<string, Found>>;

/** A transaction has one session, which runs one query after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Found>(findAll: FindAll<Found>): FindAll<Found> =>
    (keys) => {
      const found = last.then(() => findAll(keys));
      last = found.catch(() => undefined);
      return found;
    };
}

/** Postgres refuses a text that is no UUID, so such a text is not looked up. */
function toUuidLookup<Found>(find: (id: string) => Promise<Found | null>) {
  return async (id: string): Promise<Found | null> => (isUuid(id) ? find(id.toLowerCase()) : null);
}

function toSelfMap(names: Iterable<string>): Map<string, string> {
  return new Map([...names].map((name) => [name, name]));
}
