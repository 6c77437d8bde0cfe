import type { Knex } from 'knex';
import { recordQuarantine } from './create-tool-pins.ts';
import { createAgentConnectorRepository } from '../db/agents/agent-connector-repository.ts';
import { createAgentRepository, type AgentRevision } from '../db/agents/agent-repository.ts';
import { createToolPinRepository } from '../db/agents/tool-pin-repository.ts';
import type { Agent, AgentVersion } from '../domain/agent.ts';
import type { AttachedConnector, Connector } from '../domain/connector.ts';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import type { Tool, ToolInput } from '../domain/tool.ts';
import { newId } from '../lib/ids.ts';
import { hashDefinition } from '../tools/tool-definition.ts';
import { toInput, toStorableParts } from './accept-tool.ts';
import { checkModelConnection } from './check-model-connection.ts';
import type { ConnectorOffer } from './ask-connectors.ts';
import { checkToolCount, recordConfigured, toNameTaken } from './configure-agent.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';
import { withHint } from './prepare-tools.ts';
import type { Provisioning } from './provisioning.ts';

interface ProvisionRequest {
  agentId: string;
  provisioning: Provisioning;
  /** The connectors that are attached to the agent, and the definitions of the tools that they name. */
  offers: ConnectorOffer[];
  checkTool: Dependencies['checkTool'];
}

/**
 * Makes the agent version that works with the attached connectors.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when the connectors have changed meanwhile, or for a tool whose name
 * is taken; `INVALID_INPUT` for tools that cannot be used
 */
export async function provisionAgent(
  trx: Knex,
  { agentId, provisioning, offers, checkTool }: ProvisionRequest,
): Promise<Agent> {
  let before: Tool[] = [];
  const agent = await createAgentRepository(trx).reviseAgent(agentId, (current) => {
    before = current.tools;
    const revision = toRevision(current, provisioning, offers);
    const fresh = revision.tools.filter(({ id }) => !before.some((tool) => tool.id === id));
    checkAdded(fresh, revision.tools.length, checkTool);
    return revision;
  });
  if (provisioning.config.model !== undefined) await checkModelConnection(trx, agent);
  await checkUnchanged(trx, agentId, offers);
  await pinTools(trx, { agent, before, offers });
  await recordConfigured(trx, agent, {
    provisioned: true,
    connectors: agent.connectors.map(({ name }) => name),
    tools: agent.tools.flatMap(({ name, config }) => (config.connectorId === undefined ? [] : [name])),
  });
  return agent;
}

function checkAdded(tools: Tool[], count: number, checkTool: Dependencies['checkTool']): void {
  const errors = tools.flatMap((tool) =>
    checkTool(toInput(tool)).map(({ field, message }) => ({ field: `${tool.name}.${field}`, message })),
  );
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
  checkToolCount(count);
}

async function checkUnchanged(trx: Knex, agentId: string, offers: ConnectorOffer[]): Promise<void> {
  const attached = await createAgentConnectorRepository(trx).listAttached(agentId);
  const asked = offers.map(({ connector }) => connector.id);
  if (attached.map(({ id }) => id).join() === asked.join()) return;
  throw new HoldfastError(
    'CONFLICT',
    'The connectors of the agent have changed meanwhile. Provision it again.',
  );
}

function toRevision(
  current: AgentVersion,
  { config, ...rules }: Provisioning,
  offers: ConnectorOffer[],
): Omit<AgentRevision, 'tools'> & { tools: Tool[] } {
  const { on_blocked: blocked, ...rest } = config;
  const { toolAllowlist: list, ...kept } = current.rules;
  const allowlist = rules.tool_allowlist === undefined ? list : (rules.tool_allowlist ?? undefined);
  return {
    ...rest,
    rules: {
      ...kept,
      ...(allowlist === undefined ? {} : { toolAllowlist: allowlist }),
      ...(rules.tool_policies === undefined ? {} : { toolPolicies: rules.tool_policies }),
      ...(rules.canary_tokens === undefined ? {} : { canaryTokens: rules.canary_tokens }),
      ...(blocked === undefined ? {} : { onBlocked: blocked }),
    },
    tools: toTools(current.tools, offers),
    connectors: offers.map(({ connector }) => toAttached(connector)),
  };
}

function toAttached({ id, name, type, endpoint, tools, connectionId }: Connector): AttachedConnector {
  return { id, name, type, endpoint, tools, connectionId };
}

/** A provisioned tool stays as it is, settings and all; only accepting it gives it another description. */
function toTools(present: Tool[], offers: ConnectorOffer[]): Tool[] {
  const offered = new Map(offers.map(({ connector }) => [connector.id, new Set(connector.tools)]));
  const kept = present.filter(
    ({ name, config }) => config.connectorId === undefined || offered.get(config.connectorId)?.has(name),
  );
  const known = new Map(kept.map((tool) => [tool.name, tool]));
  const fresh = offers.flatMap((offer) =>
    offer.definitions.flatMap((definition) => {
      const holder = known.get(definition.name);
      if (holder === undefined) return [{ ...toTool(offer.connector, definition), id: newId() }];
      if (holder.config.connectorId === offer.connector.id) return [];
      throw toNameTaken([definition.name]);
    }),
  );
  return [...kept, ...fresh];
}

function toTool({ id, connectionId }: Connector, definition: ToolDefinition): ToolInput {
  const tool = {
    type: 'mcp' as const,
    name: definition.name,
    ...toStorableParts(definition),
    config: { connectionId, provider: 'mcp', connectorId: id },
  };
  return withHint(tool, definition);
}

interface ProvisionedTools {
  agent: Agent;
  before: Tool[];
  offers: ConnectorOffer[];
}

/** New tools are pinned; one that has become another since it was pinned is quarantined instead. */
async function pinTools(trx: Knex, { agent, before, offers }: ProvisionedTools): Promise<void> {
  const pins = createToolPinRepository(trx);
  const ids = new Map(agent.tools.map((tool) => [tool.name, tool.id]));
  const kept = new Set(ids.values());
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id));
  await pins.forgetTools(agent.id, gone);
  const pinned = await pins.listPins(agent.id);
  const live = offers
    .flatMap(({ definitions }) => definitions)
    .map((definition) => ({
      agentId: agent.id,
      toolId: ids.get(definition.name) ?? '',
      hash: hashDefinition(definition),
      definition,
    }));
  await pins.pin(live.filter(({ toolId }) => !pinned.has(toolId)));
  for (const tool of live.filter(({ toolId, hash }) => (pinned.get(toolId)?.hash ?? hash) !== hash)) {
    if ((await pins.compare(tool)) !== 'drifted') continue;
    const named = { id: tool.toolId, name: tool.definition.name };
    await recordQuarantine(trx, { agentId: agent.id, tool: named, hash: tool.hash });
  }
}
