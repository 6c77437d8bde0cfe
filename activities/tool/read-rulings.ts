import type { AgentVersion } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { NamedConnection, Rules, ToolPolicy } from '../../src/domain/rules.ts';
import type { Tool, Toolbox } from '../../src/domain/tool.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { RuledCall } from '../../src/engines/rules/ruled-call.ts';
import { resolveCall, toolboxOf, toRuledCallAbove } from '../../src/engines/tools/toolbox.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { readNamed, readVersionsAbove, type VersionAbove } from '../rules-above.ts';

/** The rules of one agent on a call: those of its own agent, or of an agent whose turn is above. */
export interface Ruling {
  turnId: string;
  agentId: string;
  rules: Rules;
  box: Toolbox;
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
  const { call, version, tool, input } = asked;
  const above = await readVersionsAbove(dependencies, call.workspace_id, call.rule_sources);
  const connections = await readConnections(dependencies, asked, above);
  const box = toolboxOf(version, connections);
  const resolved = tool && resolveCall(tool, input, box);
  // A call of an unknown tool is judged by its name alone.
  const unknown = { name: call.name, listed: [call.name], toolIds: [], aliases: [], subjects: [] };
  const own = {
    ...{ turnId: call.turn_id, agentId: call.agent_id, rules: version.rules, box },
    ruled: resolved ?? unknown,
    holds: true,
  };
  const toRulingAbove = ({
    turnId,
    agentId,
    inherits,
    version: { rules, ...tools },
  }: VersionAbove): Ruling => {
    const boxAbove = toolboxOf(tools, connections);
    const ruled = resolved ? toRuledCallAbove(resolved, boxAbove) : unknown;
    const ruling = { turnId, agentId, rules, box: boxAbove, ruled, holds: inherits };
    return turnId === call.turn_id ? { ...ruling, settings: toApprovalSettings(tool, tools.tools) } : ruling;
  };
  return [own, ...above.map(toRulingAbove)];
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
async function readConnections(
  dependencies: RulingSources,
  { call, version, tool, input }: CallToRule,
  above: VersionAbove[],
): Promise<NamedConnection[]> {
  const hasRules = [version, ...above.map((one) => one.version)].some(
    ({ rules }) => rules.toolAllowlist !== undefined || Object.keys(rules.toolPolicies).length > 0,
  );
  if (!hasRules || !tool) return [];
  const { place, target } = resolveCall(tool, input, toolboxOf(version));
  return readNamed(dependencies, call.workspace_id, {
    ids: place?.type === 'connection' ? [place.id] : [],
    names: target !== null && place?.type === 'server' ? [place.id] : [],
  });
}
