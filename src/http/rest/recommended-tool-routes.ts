import type { Knex } from 'knex';
import { z } from 'zod';
import { createAgentRepository } from '../../db/agents/agent-repository.ts';
import { createConnectionRepository } from '../../db/connections/connection-repository.ts';
import { createConnectorRepository } from '../../db/connections/connector-repository.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Connector } from '../../domain/connector.ts';
import { discoveredToolSchema, type ConnectionTools } from '../../domain/discovered-tool.ts';
import type { Tool } from '../../domain/tool.ts';
import { recommendTools, type ToolOffer } from '../../agents/recommend-tools.ts';
import { askConnection, mapAFewAtATime } from '../../connections/ask-connection.ts';
import { route } from '../server/route.ts';
import { idParams } from '../server/schemas.ts';

/** The most connections that are asked for one answer. */
const mostConnections = 200;
const defaultTimeoutMs = 4000;

const skippedSchema = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  reason: z.string(),
});
type Skipped = z.infer<typeof skippedSchema>;

const recommendationSchema = z.object({
  tool: discoveredToolSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  provider: z.string(),
  score: z.number(),
  reason: z.string(),
});

const getRecommendedTools = route({
  method: 'GET',
  path: '/api/agents/:id/recommended-tools',
  operationId: 'getRecommendedTools',
  summary: 'Find tools of the workspace’s connections that fit an agent, best first',
  description:
    'By the words of the agent’s name and instructions, which `reason` names. Connections that do not answer in time are ' +
    'under `skipped`.',
  tag: 'agent tools',
  scope: 'agents:read',
  params: idParams,
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(10) }),
  answers: {
    200: z.object({ recommendations: z.array(recommendationSchema), skipped: z.array(skippedSchema) }),
  },
  handler: async ({ params, query: { limit }, principal, dependencies, inWorkspace }) => {
    const { agent, connections, connectors } = await inWorkspace((trx) => readSources(trx, params.id));
    const { workspaceId } = principal;
    const timeoutMs = dependencies.discoveryTimeoutMs ?? defaultTimeoutMs;
    const asked = await mapAFewAtATime(connections, async (connection) => {
      const answer = await askConnection({
        dependencies,
        workspaceId,
        connectionId: connection.id,
        timeoutMs,
      });
      return answer.status === 'silent'
        ? { offers: [], skipped: [toSkipped(connection, answer.error.message)] }
        : { offers: toOffers(answer.offer, agent.tools, connectors.get(connection.id)), skipped: [] };
    });
    const offers = asked.flatMap((each) => each.offers);
    const recommendations = recommendTools({ purpose: agent, offers, limit });
    return { status: 200, data: { recommendations, skipped: asked.flatMap(({ skipped }) => skipped) } };
  },
});

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

function toSkipped({ id, name }: Connection, reason: string): Skipped {
  return { connectionId: id, connectionName: name, reason };
}

/** What a connection has that the agent has not; of a connector only the tools that it names. */
function toOffers(
  { tools, connectionId, connectionName, provider }: ConnectionTools,
  present: Tool[],
  connector: Connector | undefined,
): ToolOffer[] {
  const held = new Set(
    present
      .filter(({ config }) => config.connectionId === connectionId)
      .map(({ name, config }) => config.tool ?? name),
  );
  return tools
    .filter(({ name, executeRef }) => !held.has(name) && !held.has(executeRef))
    .filter(({ name }) => connector?.tools.includes(name) ?? true)
    .map((tool) => ({ tool, connectionId, connectionName, provider }));
}

/** What an agent could be given. */
export const recommendedToolRoutes = [getRecommendedTools];
