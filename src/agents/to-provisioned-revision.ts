import type { AgentRevision } from '../db/agents/agent-revision.ts';
import type { AgentVersion } from '../domain/agent.ts';
import type { AttachedConnector, Connector } from '../domain/connector.ts';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import type { Tool, ToolInput } from '../domain/tool.ts';
import { newId } from '../lib/ids.ts';
import { connectorIdOf } from '../tools/mcp/mcp-target.ts';
import { toolNamesTaken } from './agent-tools.ts';
import type { ConnectorOffer } from './ask-connectors.ts';
import type { Provisioning } from './provisioning.ts';
import { toStorableParts, withHintedEffect } from './tool-from-definition.ts';

/**
 * Returns what a provisioning changes in an agent: the fields that it names, the connectors, and their tools.
 * @throws HoldfastError `CONFLICT` for the name of a connector's tool that another tool of the agent has
 */
export function toProvisionedRevision(
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

/** A tool that was provisioned before keeps its settings and description; only accepting a change replaces them. */
function toTools(present: Tool[], offers: ConnectorOffer[]): Tool[] {
  const offered = new Map(offers.map(({ connector }) => [connector.id, new Set(connector.tools)]));
  const kept = present.filter((tool) => {
    const connectorId = connectorIdOf(tool);
    return connectorId === undefined || offered.get(connectorId)?.has(tool.name);
  });
  const known = new Map(kept.map((tool) => [tool.name, tool]));
  const fresh = offers.flatMap((offer) =>
    offer.definitions.flatMap((definition) => {
      const holder = known.get(definition.name);
      if (holder === undefined) return [{ ...toConnectorTool(offer.connector, definition), id: newId() }];
      if (connectorIdOf(holder) === offer.connector.id) return [];
      throw toolNamesTaken([definition.name]);
    }),
  );
  return [...kept, ...fresh];
}

/** The tool of an agent that a definition of a connector's server is provisioned as. */
export function toConnectorTool({ id, connectionId }: Connector, definition: ToolDefinition): ToolInput {
  const tool = {
    type: 'mcp' as const,
    name: definition.name,
    ...toStorableParts(definition),
    config: { connectionId, provider: 'mcp', connectorId: id },
  };
  return withHintedEffect(tool, definition);
}
