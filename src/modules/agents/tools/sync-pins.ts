import type { Knex } from 'knex';
import { createToolPinRepository, type PinnedTool } from './tool-pin-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import type { Tool } from '../../../domain/tool.ts';
import { hashDefinition } from '../../../engines/tools/tool-definition.ts';
import type { PreparedTool } from './prepare-tools.ts';

interface PinChange {
  /** The agent in its new version. */
  agent: Agent;
  /** The tools that the agent had. */
  before: Tool[];
  /** The tools that were given to it. */
  prepared: PreparedTool[];
}

/**
 * Pins the tools that are new to an agent. Removes the pins of tools that the agent has no longer, and of new tools
 * whose server gave no definition: their first call pins them.
 */
export async function syncPins(trx: Knex, { agent, before, prepared }: PinChange): Promise<void> {
  const pins = createToolPinRepository(trx);
  const kept = new Set(agent.tools.map(({ id }) => id));
  const ids = new Map(agent.tools.map(({ name, id }) => [name, id]));
  const fresh = prepared
    .filter(({ isNew }) => isNew)
    .map((tool) => ({ ...tool, id: ids.get(tool.input.name) }));
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id));
  const undefinedIds = fresh.flatMap(({ id, definition }) => (id && !definition ? [id] : []));
  await pins.forgetTools(agent.id, gone);
  await pins.removePins(agent.id, undefinedIds);
  await pins.pin(
    fresh.flatMap(({ id, definition }) => (id && definition ? [toPinned(agent, id, definition)] : [])),
  );
}

function toPinned({ id: agentId }: Agent, toolId: string, definition: ToolDefinition): PinnedTool {
  return { agentId, toolId, hash: hashDefinition(definition), definition };
}
