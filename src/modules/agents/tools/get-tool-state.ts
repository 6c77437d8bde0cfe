import { createAgentRepository } from '../agent-repository.ts';
import { createToolPinRepository, type ToolPin } from './tool-pin-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { InnerTool, ToolState } from '../../../domain/discovered-tool.ts';
import type { Tool } from '../../../domain/tool.ts';
import { isGateway } from '../../../engines/tools/mcp/mcp-target.ts';
import { diffDefinitions } from '../../../engines/tools/tool-definition.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { getTool } from './agent-tools.ts';

interface StateOfTool {
  tool: Tool;
  state: ToolState;
}

/**
 * Lists the tools of an agent, each with its state.
 * @throws HoldfastError `NOT_FOUND`
 */
export function listToolStates(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId }: { agentId: string },
): Promise<StateOfTool[]> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx).getAgent(agentId);
    const pins = await createToolPinRepository(trx).listPins(agentId);
    return agent.tools.map((tool) => ({ tool, state: toToolState(tool, pins.get(tool.id)) }));
  });
}

/**
 * Reads one tool of an agent with its state; `inner` lists the tools that were called through it when it is a gateway.
 * @throws HoldfastError `NOT_FOUND`
 */
export function getToolState(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, toolId }: { agentId: string; toolId: string },
): Promise<StateOfTool & { inner?: InnerTool[] }> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const tool = getTool(await createAgentRepository(trx).getAgent(agentId), toolId);
    const pins = createToolPinRepository(trx);
    const state = toToolState(tool, await pins.findPin(agentId, toolId));
    if (!isGateway(tool)) return { tool, state };
    return { tool, state, inner: (await pins.listInnerPins(agentId, toolId)).map(toInnerTool) };
  });
}

/** An inner tool has no settings, so it is never disabled: only the gateway can be. */
function toInnerTool(pin: ToolPin): InnerTool {
  return { target: pin.target ?? '', state: toToolState({}, pin) };
}

function toToolState({ settings }: Pick<Tool, 'settings'>, pin: ToolPin | null | undefined): ToolState {
  const drift = pin?.drift ?? null;
  const enabled = settings?.enabled !== false;
  return {
    status: drift ? 'quarantined' : enabled ? 'active' : 'disabled',
    pinnedHash: pin?.hash ?? null,
    drift: pin && drift ? toDrift(pin, drift) : null,
  };
}

function toDrift(pin: ToolPin, drift: NonNullable<ToolPin['drift']>): NonNullable<ToolState['drift']> {
  return {
    hash: drift.hash,
    detectedAt: drift.detectedAt,
    changes: diffDefinitions(pin.definition, drift.definition),
  };
}
