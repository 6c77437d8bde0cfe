import type { AgentRevision } from '../agent-revision.ts';
import type { AgentVersion } from '../../../domain/agent.ts';
import type { AttachedConnector, Connector } from '../../../domain/connector.ts';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { PinnedSkill } from '../../../domain/skill.ts';
import { withSkillTools } from '../../../domain/skill-tools.ts';
import type { Tool, ToolInput } from '../../../domain/tool.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { connectorIdOf, toConnectorKey, toGatewayId } from '../../../engines/tools/mcp/mcp-target.ts';
import type { ConnectorOffer } from '../connectors/ask-connectors.ts';
import type { Provisioning } from './provisioning.ts';
import { toStorableParts, withHints } from '../tools/tool-from-definition.ts';

/** The agent and its configuration after a provisioning. */
type ProvisionedRevision = Omit<AgentRevision, 'tools'> &
  Pick<AgentVersion, 'tools' | 'rules' | 'connectors' | 'skills'>;

interface Provisioned {
  provisioning: Provisioning;
  /** The skills that it names. @default those of the agent */
  skills?: PinnedSkill[] | undefined;
  offers: ConnectorOffer[];
}

/**
 * Returns what a provisioning changes in an agent: the fields that it names, the connectors, and their tools.
 * @throws HoldfastError `CONFLICT` for the name of a connector's tool that another tool of the agent has, of another
 * connector for example
 */
export function toProvisionedRevision(
  current: AgentVersion,
  { provisioning: { config, ...rules }, skills = current.skills, offers }: Provisioned,
): ProvisionedRevision {
  const { on_blocked: blocked, ...rest } = config;
  const { toolAllowlist: list, ...kept } = current.rules;
  const allowlist = rules.tool_allowlist === undefined ? list : (rules.tool_allowlist ?? undefined);
  return {
    ...rest,
    skills,
    rules: {
      ...kept,
      ...(allowlist === undefined ? {} : { toolAllowlist: allowlist }),
      ...(rules.tool_policies === undefined ? {} : { toolPolicies: rules.tool_policies }),
      ...(rules.for_later === undefined ? {} : { forLater: rules.for_later }),
      ...(rules.canary_tokens === undefined ? {} : { canaryTokens: rules.canary_tokens }),
      ...(blocked === undefined ? {} : { onBlocked: blocked }),
    },
    tools: toTools({ ...current, skills }, offers, rules.tool_names),
    connectors: offers.map(({ connector }) => toAttached(connector)),
  };
}

function toAttached({ id, name, type, endpoint, tools, connectionId }: Connector): AttachedConnector {
  return { id, name, type, endpoint, tools, connectionId };
}

/** A tool that was provisioned before keeps its name, settings and description; only accepting a change replaces them. */
function toTools(
  { tools: present, skills }: Pick<AgentVersion, 'tools' | 'skills'>,
  offers: ConnectorOffer[],
  names: Provisioning['tool_names'] = {},
): Tool[] {
  const offered = new Set(
    offers.flatMap(({ connector: { id, tools } }) => tools.map((tool) => toGatewayId({ server: id, tool }))),
  );
  const kept = present.filter(
    (tool) => connectorIdOf(tool) === undefined || offered.has(toConnectorKey(tool)),
  );
  const held = new Set(kept.map(toConnectorKey));
  const taken = new Set(withSkillTools({ tools: kept, skills }).tools.map(({ name }) => name));
  const fresh = offers.flatMap(({ connector, definitions }) =>
    definitions.flatMap((definition) => {
      if (held.has(`${connector.id}:${definition.name}`)) return [];
      const id = toGatewayId({ server: connector.name, tool: definition.name });
      const name = names[id] ?? definition.name;
      if (taken.has(name)) throw nameTaken(name, id);
      taken.add(name);
      return [{ ...toConnectorTool(connector, definition, name), id: newId() }];
    }),
  );
  return [...kept, ...fresh];
}

function nameTaken(name: string, id: string): HoldfastError {
  const message =
    `The agent has a tool named "${name}" already, so ${id} needs another name. ` +
    `Provision the agent with "tool_names": { "${id}": "…" }.`;
  return new HoldfastError('CONFLICT', message, { details: { names: [name], tool: id } });
}

/** The tool of an agent that a definition of a connector's server is provisioned as, under its own name. */
export function toConnectorTool(
  { id, connectionId }: Connector,
  definition: ToolDefinition,
  name: string = definition.name,
): ToolInput {
  const remote = name === definition.name ? {} : { tool: definition.name };
  const tool = {
    type: 'mcp' as const,
    name,
    ...toStorableParts(definition),
    config: { connectionId, provider: 'mcp', connectorId: id, ...remote },
  };
  return withHints(tool, definition);
}
