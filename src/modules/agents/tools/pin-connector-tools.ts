import type { Knex } from 'knex';
import { createToolPinRepository } from './tool-pin-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import type { Tool } from '../../../domain/tool.ts';
import { toConnectorKey, toGatewayId } from '../../../engines/tools/mcp/mcp-target.ts';
import { hashDefinition } from '../../../engines/tools/tool-definition.ts';
import { recordQuarantined } from '../agent-audit.ts';
import type { ConnectorOffer } from '../connectors/ask-connectors.ts';

interface ProvisionedTools {
  /** The agent in its new version. */
  agent: Agent;
  /** The tools that the agent had. */
  before: Tool[];
  offers: ConnectorOffer[];
}

/**
 * Pins the tools that a provisioning added and removes the pins of those that it removed. A tool whose definition is
 * not the pinned one any more is quarantined.
 */
export async function pinConnectorTools(
  trx: Knex,
  { agent, before, offers }: ProvisionedTools,
): Promise<void> {
  const pins = createToolPinRepository(trx);
  const kept = new Set(agent.tools.map(({ id }) => id));
  const ids = new Map(agent.tools.map((tool) => [toConnectorKey(tool), tool.id]));
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id));
  await pins.forgetTools(agent.id, gone);
  const pinned = await pins.listPins(agent.id);
  const live = offers.flatMap(({ connector, definitions }) =>
    definitions.map((definition) => ({
      agentId: agent.id,
      toolId: ids.get(toGatewayId({ server: connector.id, tool: definition.name })) ?? '',
      hash: hashDefinition(definition),
      definition,
    })),
  );
  await pins.pin(live.filter(({ toolId }) => !pinned.has(toolId)));
  for (const tool of live.filter(({ toolId, hash }) => (pinned.get(toolId)?.hash ?? hash) !== hash)) {
    if ((await pins.compare(tool)) !== 'drifted') continue;
    const named = { id: tool.toolId, name: tool.definition.name };
    await recordQuarantined(trx, { agentId: agent.id, tool: named, hash: tool.hash });
  }
}
