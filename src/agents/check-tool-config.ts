import type { Knex } from 'knex';
import { createAgentRepository } from '../db/agents/agent-repository.ts';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { createConnectorRepository } from '../db/connections/connector-repository.ts';
import { createKnowledgeBaseRepository } from '../db/knowledge/knowledge-base-repository.ts';
import type { Connection } from '../domain/connection.ts';
import { HoldfastError, type FieldError } from '../domain/errors.ts';
import type { ToolConfig, ToolInput } from '../domain/tool.ts';
import { isUuid } from '../domain/uuid.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';

/** A tool whose `config` was looked up, with what that added to it, and what is wrong with it. */
export interface CheckedTool {
  tool: ToolInput;
  errors: FieldError[];
}

interface CheckParts {
  trx: Knex;
  workspaceId: string;
  dependencies: Pick<Dependencies, 'mcpServers' | 'workflowTypes'>;
}

interface ConfigLookups extends CheckParts {
  connection: (id: string) => Promise<Connection>;
}

/**
 * Builds the check of what the `config` of a tool points to: that it is there, and the caller's. The fields of the
 * errors are relative to the tool.
 * The check throws HoldfastError `CONNECTION_ACCESS_DENIED` or `CONNECTION_NOT_ACTIVE`.
 */
export function createToolConfigCheck(parts: CheckParts): (tool: ToolInput) => Promise<CheckedTool> {
  const known = new Map<string, Promise<Connection>>();
  // Many tools of one batch lead over one connection.
  const connection = (id: string) => {
    const found = known.get(id) ?? getConnection(parts.trx, id);
    known.set(id, found);
    return found;
  };
  return (tool) => checkConfig({ ...parts, connection }, tool);
}

async function checkConfig(lookups: ConfigLookups, tool: ToolInput): Promise<CheckedTool> {
  const { agentId = '', knowledgeBaseId = '', workflowId = '' } = tool.config;
  switch (tool.type) {
    case 'mcp':
      return { tool, errors: await checkMcpTool(lookups, tool.config) };
    case 'agent':
      return checkAgentTool(lookups, tool, agentId);
    case 'knowledge_base':
      return { tool, errors: await checkKnowledgeBase(lookups, knowledgeBaseId) };
    case 'workflow':
      return { tool, errors: await checkWorkflow(lookups, workflowId) };
    case 'function':
      return { tool, errors: await checkBackEnds(lookups, tool.config) };
  }
}

async function checkMcpTool(lookups: ConfigLookups, config: ToolConfig): Promise<FieldError[]> {
  if (config.gateway) return checkServers(lookups, config.servers ?? []);
  if (config.connectionId !== undefined) return checkConnection(lookups, config, config.connectionId);
  const { mcpServers } = lookups.dependencies;
  const { server = '' } = config;
  if (mcpServers === undefined || mcpServers.includes(server)) return [];
  return [{ field: 'config.server', message: `there is no server "${server}" in the catalogue` }];
}

async function getConnection(trx: Knex, id: string): Promise<Connection> {
  const found = await createConnectionRepository(trx).findConnection(id);
  if (found) return found.connection;
  throw new HoldfastError('CONNECTION_ACCESS_DENIED', `Connection ${id} not found or access denied`);
}

async function checkConnection(
  { trx, connection: find }: ConfigLookups,
  { provider, connectorId }: ToolConfig,
  connectionId: string,
): Promise<FieldError[]> {
  const connection = await find(connectionId);
  if (provider !== connection.provider) return [toProviderError(provider, connection.provider)];
  if (connection.status !== 'active') {
    const message = `Connection ${connection.name} is ${connection.status}. Please reconnect.`;
    throw new HoldfastError('CONNECTION_NOT_ACTIVE', message);
  }
  if (connectorId === undefined) return [];
  const connector = isUuid(connectorId)
    ? await createConnectorRepository(trx).findConnector(connectorId)
    : null;
  if (connector?.connectionId === connectionId) return [];
  return [{ field: 'config.connectorId', message: `expected the connector of this connection` }];
}

/** What a function searches or pays with, if it is told of something. */
async function checkBackEnds(lookups: ConfigLookups, config: ToolConfig): Promise<FieldError[]> {
  const { connectionId, knowledgeBaseId } = config;
  const own = connectionId === undefined ? undefined : (await lookups.connection(connectionId)).provider;
  const wrong =
    connectionId === undefined
      ? []
      : await checkConnection(lookups, { provider: own, ...config }, connectionId);
  return knowledgeBaseId === undefined
    ? wrong
    : [...wrong, ...(await checkKnowledgeBase(lookups, knowledgeBaseId))];
}

async function checkServers(
  { trx, dependencies: { mcpServers = [] } }: ConfigLookups,
  servers: string[],
): Promise<FieldError[]> {
  const known = await createConnectorRepository(trx).findServerNames(servers);
  return servers.flatMap((name, index) => {
    if (known.has(name) || mcpServers.includes(name)) return [];
    const message = `expected the name of a connector, a connection or a server of the catalogue, found "${name}"`;
    return [{ field: `config.servers.${index}`, message }];
  });
}

function toProviderError(expected: string | undefined, actual: string): FieldError {
  const message =
    expected === undefined
      ? `expected the provider of the connection, "${actual}", found nothing`
      : `Connection provider mismatch: expected ${expected}, got ${actual}`;
  return { field: 'config.provider', message };
}

async function checkAgentTool(
  { trx }: ConfigLookups,
  tool: ToolInput,
  agentId: string,
): Promise<CheckedTool> {
  const agent = isUuid(agentId) ? await findAgent(trx, agentId) : null;
  if (!agent) return { tool, errors: [{ field: 'config.agentId', message: `there is no agent ${agentId}` }] };
  return { tool: { ...tool, config: { ...tool.config, agentName: agent.name } }, errors: [] };
}

function findAgent(trx: Knex, id: string) {
  return findOrNull(() => createAgentRepository(trx).getAgent(id));
}

async function checkKnowledgeBase({ trx }: ConfigLookups, id: string): Promise<FieldError[]> {
  const found = isUuid(id)
    ? await findOrNull(() => createKnowledgeBaseRepository(trx).getKnowledgeBase(id))
    : null;
  return found ? [] : [{ field: 'config.knowledgeBaseId', message: `there is no knowledge base ${id}` }];
}

async function checkWorkflow(
  { workspaceId, dependencies: { workflowTypes } }: ConfigLookups,
  id: string,
): Promise<FieldError[]> {
  if (await workflowTypes.find(workspaceId, id)) return [];
  const known = (await workflowTypes.list(workspaceId)).map((each) => each.id).join(', ') || 'none';
  return [{ field: 'config.workflowId', message: `there is no workflow "${id}"; known are: ${known}` }];
}

async function findOrNull<Found>(get: () => Promise<Found>): Promise<Found | null> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
