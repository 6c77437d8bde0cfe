import { createAgentRepository } from '../db/agents/agent-repository.ts';
import { createToolPinRepository } from '../db/agents/tool-pin-repository.ts';
import type { Agent } from '../domain/agent.ts';
import type { Actor } from '../domain/actor.ts';
import { recordConfigured } from './agent-audit.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { getTool } from './agent-tools.ts';

/**
 * Removes a tool and its pins from an agent, in a new version.
 * @throws HoldfastError `NOT_FOUND`
 */
export function removeTool(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, toolId }: { agentId: string; toolId: string },
): Promise<Agent> {
  return database.inWorkspace(workspaceId, async (trx) => {
    let name = '';
    const agent = await createAgentRepository(trx).reviseAgent(agentId, ({ tools }) => {
      ({ name } = getTool({ id: agentId, tools }, toolId));
      return { tools: tools.filter(({ id }) => id !== toolId) };
    });
    await createToolPinRepository(trx).forgetTools(agentId, [toolId]);
    await recordConfigured(trx, agent.id, { version: agent.version, tools_removed: [name] });
    return agent;
  });
}
