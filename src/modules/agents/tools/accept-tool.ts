import { createAgentRepository } from '../agent-repository.ts';
import { createToolPinRepository, type ToolPin } from './tool-pin-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { Tool } from '../../../domain/tool.ts';
import { recordAccepted } from '../agent-audit.ts';
import { toMaker, type AgentEditor } from '../agent-editor.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { getTool } from './agent-tools.ts';
import { getDriftedPin, notQuarantined } from './drifted-pin.ts';
import { toShownAgent } from '../connectors/shown-connectors.ts';
import { withWarnings } from '../with-warnings.ts';
import { toSettingsAfter, toStorableParts } from './tool-from-definition.ts';

/** Which changed definition is accepted. */
interface Acceptance {
  agentId: string;
  toolId: string;
  /** The hash of the definition that the operator has seen. @default the hash of the definition that is quarantined */
  hash?: string | undefined;
}

/**
 * Accepts the changed definition of a quarantined tool: pins it, and gives the tool its description and schema in a
 * new version of the agent.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a tool that is not quarantined, or with another definition;
 * `INVALID_INPUT` for a definition that cannot be used
 */
export async function acceptTool(
  dependencies: Pick<AgentDependencies, 'database' | 'checkTool' | 'findModelWarning'>,
  caller: AgentEditor,
  acceptance: Acceptance,
): Promise<{ agent: Agent; tool: Tool }> {
  const { database } = dependencies;
  const { workspaceId } = caller;
  const { agentId, toolId } = acceptance;
  const hash = await checkAccepted(dependencies, workspaceId, acceptance);
  const accepted = await database.inWorkspace(workspaceId, async (trx) => {
    const pins = createToolPinRepository(trx);
    const pin = await pins.findPin(agentId, toolId);
    // The agent is locked before its pins, here as everywhere.
    const agent = await createAgentRepository(trx, toMaker(caller)).reviseAgent(agentId, ({ tools }) => {
      const changed = toAcceptedTool(getTool({ id: agentId, tools }, toolId), pin, hash);
      return { tools: tools.map((each) => (each.id === toolId ? changed : each)) };
    });
    if (!(await pins.acceptDrift(agentId, toolId, hash))) throw notQuarantined(toolId);
    const tool = getTool(agent, toolId);
    const named = { tool_id: toolId, tool_name: tool.name };
    await recordAccepted(trx, agentId, { version: agent.version, ...named, hash });
    return { agent, tool };
  });
  const agent = await withWarnings(dependencies, caller, accepted);
  return { ...accepted, agent: toShownAgent(caller, agent) };
}

/** Checks the changed definition and returns its hash. The agent is not locked, because a schema may take long. */
async function checkAccepted(
  { database, checkTool }: Pick<AgentDependencies, 'database' | 'checkTool'>,
  workspaceId: string,
  { agentId, toolId, hash }: Acceptance,
): Promise<string> {
  const { tool, pin } = await database.inWorkspace(workspaceId, async (trx) => ({
    tool: getTool(await createAgentRepository(trx).getAgent(agentId), toolId),
    pin: await createToolPinRepository(trx).findPin(agentId, toolId),
  }));
  const errors = await checkTool(toAcceptedTool(tool, pin, hash), workspaceId);
  if (errors.length > 0) throw createInvalidInput(errors);
  return getDriftedPin(toolId, pin, hash).drift.hash;
}

function toAcceptedTool(tool: Tool, pin: ToolPin | null, hash: string | undefined): Tool {
  const { definition, drift } = getDriftedPin(tool.id, pin, hash);
  const settings = toSettingsAfter(tool.settings, { before: definition, after: drift.definition });
  return { ...tool, ...toStorableParts(drift.definition), settings };
}
