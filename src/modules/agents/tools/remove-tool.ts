import { createAgentRepository } from '../agent-repository.ts';
import { createToolPinRepository } from './tool-pin-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import { recordConfigured } from '../agent-audit.ts';
import { toMaker, type AgentEditor } from '../agent-editor.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { getTool } from './agent-tools.ts';
import { toShownAgent } from '../connectors/shown-connectors.ts';
import { toRulesForLater } from '../rules-for-later.ts';

/**
 * Removes a tool and its pins from an agent, in a new version. Rules about it are kept for later.
 * @throws HoldfastError `NOT_FOUND`
 */
export function removeTool(
  { database }: Pick<AgentDependencies, 'database'>,
  caller: AgentEditor,
  { agentId, toolId }: { agentId: string; toolId: string },
): Promise<Agent> {
  return database.inWorkspace(caller.workspaceId, async (trx) => {
    let name = '';
    const agent = await createAgentRepository(trx, toMaker(caller)).reviseAgent(agentId, async (current) => {
      ({ name } = getTool({ id: agentId, tools: current.tools }, toolId));
      const tools = current.tools.filter(({ id }) => id !== toolId);
      return { tools, rules: await toRulesForLater(trx, { ...current, tools }) };
    });
    await createToolPinRepository(trx).forgetTools(agentId, [toolId]);
    await recordConfigured(trx, agent.id, { version: agent.version, tools_removed: [name] });
    return toShownAgent(caller, agent);
  });
}
