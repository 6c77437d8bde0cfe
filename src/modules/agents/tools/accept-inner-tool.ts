import { createAgentRepository } from '../agent-repository.ts';
import { createToolPinRepository } from './tool-pin-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Tool } from '../../../domain/tool.ts';
import { toInnerToolId } from '../../../platform/lib/ids.ts';
import { recordAccepted } from '../agent-audit.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { getTool } from './agent-tools.ts';
import { getDriftedPin, notQuarantined } from './drifted-pin.ts';

/** Which changed definition is accepted, of a tool behind a gateway. */
interface InnerAcceptance {
  agentId: string;
  /** The id of the gateway. */
  toolId: string;
  /** `server:tool` */
  target: string;
  /** The hash of the definition that the operator has seen. @default the hash of the definition that is quarantined */
  hash?: string | undefined;
}

/**
 * Accepts the changed definition of a tool behind a gateway: pins it. The agent gets no new version, because its model
 * asks the gateway for descriptions and schemas.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a tool that is not quarantined, or with another definition
 */
export function acceptInnerTool(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, toolId, target, hash }: InnerAcceptance,
): Promise<{ agent: Agent; tool: Tool }> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx).getAgent(agentId);
    const tool = getTool(agent, toolId);
    const pins = createToolPinRepository(trx);
    const pinId = toInnerToolId(toolId, target);
    const { drift } = getDriftedPin(target, await pins.findPin(agentId, pinId), hash);
    if (!(await pins.acceptDrift(agentId, pinId, drift.hash))) throw notQuarantined(target);
    const named = { tool_id: toolId, tool_name: tool.name, target };
    await recordAccepted(trx, agentId, { ...named, hash: drift.hash });
    return { agent, tool };
  });
}
