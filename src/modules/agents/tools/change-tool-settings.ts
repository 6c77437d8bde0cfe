import { createAgentRepository } from '../agent-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import type { ApprovalMode } from '../../../domain/approval.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Tool, ToolEffect, ToolSettings } from '../../../domain/tool.ts';
import { checkSettings } from '../../../engines/tools/check-tool.ts';
import { recordConfigured } from '../agent-audit.ts';
import { toMaker, type AgentEditor } from '../agent-editor.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { getTool } from './agent-tools.ts';
import { toShownAgent } from '../connectors/shown-connectors.ts';

/** A change of the operator's settings; null resets a setting to its default. */
interface ToolSettingsChange {
  timeoutMs?: number | null | undefined;
  effect?: ToolEffect | null | undefined;
  /** True sets the effect to `idempotent`, false to `unsafe`. */
  idempotent?: boolean | undefined;
  enabled?: boolean | undefined;
  approval?: ApprovalMode | null | undefined;
  approvalWhen?: JsonObject | null | undefined;
  approvers?: string[] | null | undefined;
  selfApproval?: boolean | null | undefined;
}

interface SettingsOfTool {
  agentId: string;
  toolId: string;
  change: ToolSettingsChange;
}

/**
 * Changes the operator's settings of a tool, in a new version of its agent.
 * @throws HoldfastError `NOT_FOUND`, or `INVALID_INPUT` for a condition that cannot be checked
 */
export async function changeToolSettings(
  { database }: Pick<AgentDependencies, 'database'>,
  caller: AgentEditor,
  { agentId, toolId, change }: SettingsOfTool,
): Promise<{ agent: Agent; tool: Tool }> {
  const { approvalWhen } = change;
  const wrong = await checkSettings(approvalWhen ? { approvalWhen } : undefined, caller.workspaceId);
  if (wrong.length > 0) throw createInvalidInput(wrong.map((one) => ({ ...one, field: 'approvalWhen' })));
  return database.inWorkspace(caller.workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx, toMaker(caller)).reviseToolSettings(agentId, {
      toolId,
      revise: ({ settings }) => toSettings(settings, change),
    });
    const tool = getTool(agent, toolId);
    const settings = { ...tool.settings } as JsonObject;
    await recordConfigured(trx, agent.id, { version: agent.version, tool_name: tool.name, settings });
    return { agent: toShownAgent(caller, agent), tool };
  });
}

function toSettings(settings: ToolSettings | undefined, change: ToolSettingsChange): ToolSettings {
  const { idempotent, ...rest } = change;
  const effect = idempotent === undefined ? {} : { effect: idempotent ? 'idempotent' : 'unsafe' };
  const changed = { ...settings, ...rest, ...effect };
  return Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined && value !== null),
  );
}
