import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { askConnection, askedAtOnce } from '../../connections/ask-connection.ts';
import { createAgentRepository } from '../agent-repository.ts';
import { createConnectionRepository } from '../../connections/connection-repository.ts';
import { createConnectorRepository } from '../../connections/connectors/connector-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Connection } from '../../../domain/connection.ts';
import type { Connector } from '../../../domain/connector.ts';
import type { ConnectionTools } from '../../../domain/discovered-tool.ts';
import type { Tool } from '../../../domain/tool.ts';
import { remoteNameOf } from '../../../engines/tools/mcp/mcp-target.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { rankToolOffers, type ToolOffer, type ToolRecommendation } from './rank-tool-offers.ts';

/** The maximum number of connections that are asked for one recommendation. */
const mostConnections = 200;
const defaultTimeoutMs = 4000;

/** A connection that is left out because its server did not list its tools. */
interface SkippedConnection {
  connectionId: string;
  connectionName: string;
  reason: string;
}

/**
 * Asks the active connections of the workspace for their tools and ranks those that the agent does not have.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function recommendTools(
  dependencies: Pick<AgentDependencies, 'database' | 'discovery' | 'discoveryTimeoutMs' | 'logger'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, limit }: { agentId: string; limit: number },
): Promise<{ recommendations: ToolRecommendation[]; skipped: SkippedConnection[] }> {
  const { database, discoveryTimeoutMs: timeoutMs = defaultTimeoutMs } = dependencies;
  const { agent, connections, connectors } = await database.inWorkspace(workspaceId, (trx) =>
    readSources(trx, agentId),
  );
  const asked = await pLimit(askedAtOnce).map(connections, async (connection) => {
    const answer = await askConnection({ dependencies, workspaceId, connectionId: connection.id, timeoutMs });
    return answer.status === 'silent'
      ? { offers: [], skipped: [toSkipped(connection, answer.error.message)] }
      : { offers: toOffers(answer.offer, agent.tools, connectors.get(connection.id)), skipped: [] };
  });
  const offers = asked.flatMap((each) => each.offers);
  const recommendations = rankToolOffers({ agent, offers, limit });
  return { recommendations, skipped: asked.flatMap(({ skipped }) => skipped) };
}

async function readSources(trx: Knex, agentId: string) {
  const agent = await createAgentRepository(trx).getAgent(agentId);
  const connections: Connection[] = [];
  let cursor: string | undefined;
  do {
    const page = await createConnectionRepository(trx).listConnections({ cursor, limit: 100 });
    connections.push(...page.items.filter(({ status }) => status === 'active'));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && connections.length < mostConnections);
  return { agent, connections, connectors: await createConnectorRepository(trx).listByConnection() };
}

function toSkipped({ id, name }: Connection, reason: string): SkippedConnection {
  return { connectionId: id, connectionName: name, reason };
}

/** The tools of a connection that the agent does not have; of a connector only the tools that it names. */
function toOffers(
  { tools, connectionId, connectionName, provider }: ConnectionTools,
  present: Tool[],
  connector: Connector | undefined,
): ToolOffer[] {
  const ofConnection = present.filter(
    (tool) => tool.type === 'mcp' && tool.config.connectionId === connectionId,
  );
  const held = new Set(ofConnection.map(remoteNameOf));
  return tools
    .filter(({ name, executeRef }) => !held.has(name) && !held.has(executeRef))
    .filter(({ name }) => connector?.tools.includes(name) ?? true)
    .map((tool) => ({ tool, connectionId, connectionName, provider }));
}
