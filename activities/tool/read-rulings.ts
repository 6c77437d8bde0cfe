import type { AgentVersion } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Rules, ToolPolicy } from '../../src/domain/rules.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { RuledCall } from '../../src/engines/rules/ruled-call.ts';
import { connectorOf, findGatewayCall, isGateway } from '../../src/engines/tools/mcp/mcp-target.ts';
import { toRuledCall, toRuledCallAbove } from '../../src/engines/tools/to-ruled-call.ts';
import type { ToolBox } from '../../src/engines/tools/place.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { readNamed, readVersionsAbove, type VersionAbove } from '../rules-above.ts';

/** The rules of one agent on a call: those of its own agent, or of an agent whose turn is above. */
export interface Ruling {
  turnId: string;
  agentId: string;
  rules: Rules;
  box: ToolBox;
  ruled: RuledCall;
  /** Whether the allowlist and the policies hold; limits of calls and canary tokens always do. */
  holds: boolean;
  /** The approvals and approvers that today's settings of the tool demand, where the turn runs an old version. @default none */
  settings?: Pick<ToolPolicy, 'approval' | 'approvalWhen' | 'approvers' | 'selfApproval'>;
}

type RulingSources = Pick<StepDependencies, 'getVersion' | 'pipelined'>;

type RuledRow = Pick<ClaimedToolCall, 'workspace_id' | 'turn_id' | 'agent_id' | 'rule_sources' | 'name'>;

interface CallToRule {
  call: RuledRow;
  version: Pick<AgentVersion, 'tools' | 'connectors' | 'rules'>;
  tool: Tool | null;
  input: JsonObject;
}

/** Returns the rulings on a call: that of its own agent first, then those of the turns above, outermost first. */
export async function readRulings(
  dependencies: RulingSources,
  asked: CallToRule,
): Promise<[Ruling, ...Ruling[]]> {
  const { call, version } = asked;
  const above = await readVersionsAbove(dependencies, call.workspace_id, call.rule_sources);
  const connections = await readConnections(dependencies, asked, above);
  const box = { tools: version.tools, connectors: version.connectors, connections };
  const own = {
    ...{ turnId: call.turn_id, agentId: call.agent_id, rules: version.rules, box },
    ruled: toOwnRuledCall(asked, box),
    holds: true,
  };
  return [own, ...above.map((one) => toRulingAbove(asked, one, box))];
}

/** A call of an unknown tool is judged by its name alone. */
function toOwnRuledCall({ call, tool, input }: CallToRule, box: ToolBox): RuledCall {
  if (tool) return toRuledCall(tool, input, box);
  return { name: call.name, listed: [call.name], toolIds: [], aliases: [], subjects: [] };
}

function toRulingAbove(
  { tool, input, call }: CallToRule,
  { turnId, agentId, version, inherits }: VersionAbove,
  box: ToolBox,
): Ruling {
  const { tools, connectors, rules } = version;
  const above = { tools, connectors, connections: box.connections };
  const ruled = tool
    ? toRuledCallAbove({ tool, input, box }, above)
    : { name: call.name, listed: [call.name], toolIds: [], aliases: [], subjects: [] };
  const ruling = { turnId, agentId, rules, box: above, ruled, holds: inherits };
  return turnId === call.turn_id ? { ...ruling, settings: toApprovalSettings(tool, tools) } : ruling;
}

/** Returns the settings that demand more than the policies; `never` and a permitted `selfApproval` demand nothing. */
function toApprovalSettings(tool: Tool | null, tools: Tool[]): NonNullable<Ruling['settings']> {
  const settings = tools.find(({ id }) => id === tool?.id)?.settings ?? {};
  const { approval, approvalWhen, approvers, selfApproval } = settings;
  return {
    ...(approval === undefined || approval === 'never' ? {} : { approval }),
    ...(approvalWhen ? { approvalWhen } : {}),
    ...(approvers ? { approvers } : {}),
    ...(selfApproval === false ? { selfApproval } : {}),
  };
}

/** Reads the connection that the call leads to, when rules may name it. */
function readConnections(
  dependencies: RulingSources,
  { call, version, tool, input }: CallToRule,
  above: VersionAbove[],
) {
  const hasRules = [version, ...above.map((one) => one.version)].some(
    ({ rules }) => rules.toolAllowlist !== undefined || Object.keys(rules.toolPolicies).length > 0,
  );
  if (!hasRules || tool?.type !== 'mcp') return Promise.resolve([]);
  const inner = isGateway(tool) ? findGatewayCall(input) : null;
  const connector = inner
    ? version.connectors.find(({ name }) => name === inner.server)
    : connectorOf(tool, version.connectors);
  const id = connector?.connectionId ?? (inner ? undefined : tool.config.connectionId);
  return readNamed(dependencies, call.workspace_id, {
    ids: id === undefined ? [] : [id],
    names: inner && !connector ? [inner.server] : [],
  });
}
