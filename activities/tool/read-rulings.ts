import type { AgentVersion } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { noRules, type NamedConnection, type Rules, type ToolPolicy } from '../../src/domain/rules.ts';
import type { Tool, Toolbox } from '../../src/domain/tool.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { RuledCall } from '../../src/engines/rules/ruled-call.ts';
import { resolveCall, toolboxOf, toRuledCallAbove } from '../../src/engines/tools/toolbox.ts';
import type { RulePort } from '../step-dependencies.ts';
import { readNamed, readVersionsAbove, type VersionAbove } from '../rules-above.ts';

/** The rules of one agent on a call: those of its own agent, or of an agent whose turn is above. */
export interface Ruling {
  turnId: string;
  agentId: string;
  /** The rules that hold for the call. The canary tokens of all agents are among those of its own agent alone. */
  rules: Rules;
  box: Toolbox;
  ruled: RuledCall;
  /** The approvals and approvers that today's settings of the tool demand, where the turn runs an old version. @default none */
  settings?: Pick<ToolPolicy, 'approval' | 'approvalWhen' | 'approvers' | 'selfApproval'>;
}

type RuledRow = Pick<ClaimedToolCall, 'workspace_id' | 'turn_id' | 'agent_id' | 'rule_sources' | 'name'>;

interface CallToRule {
  call: RuledRow;
  version: Pick<AgentVersion, 'tools' | 'connectors' | 'rules'>;
  tool: Tool | null;
  input: JsonObject;
}

/** Returns the rulings on a call: that of its own agent first, then those of the turns above, outermost first. */
export async function readRulings(dependencies: RulePort, asked: CallToRule): Promise<[Ruling, ...Ruling[]]> {
  const { call, version, tool, input } = asked;
  const above = await readVersionsAbove(dependencies, call.workspace_id, call.rule_sources);
  const connections = await readConnections(dependencies, asked, above);
  const box = toolboxOf(version, connections);
  const resolved = tool && resolveCall(tool, input, box);
  // A call of an unknown tool is judged by its name alone.
  const unknown = { name: call.name, listed: [call.name], toolIds: [], aliases: [], subjects: [] };
  const versions = [version, ...above.map((one) => one.version)];
  const canaryTokens = [...new Set(versions.flatMap(({ rules }) => rules.canaryTokens))];
  const rules = { ...version.rules, canaryTokens };
  const own = { turnId: call.turn_id, agentId: call.agent_id, rules, box, ruled: resolved ?? unknown };
  const toRuling = ({ turnId, agentId, inherits, version: of }: VersionAbove): Ruling => {
    const box = toolboxOf(of, connections);
    const rules = { ...(inherits ? of.rules : toLimits(of.rules)), canaryTokens: [] };
    const ruled = resolved ? toRuledCallAbove(resolved, box) : unknown;
    const isOfTurn = turnId === call.turn_id && inherits;
    const settings = isOfTurn ? toApprovalSettings(tool, of.tools) : {};
    return { turnId, agentId, rules, box, ruled, settings };
  };
  return [own, ...above.map(toRuling)];
}

/** Returns the rules that hold in turns below that do not inherit the others: limits of calls. */
function toLimits({ toolPolicies }: Rules): Rules {
  const limits = Object.entries(toolPolicies).map(([name, { maxCallsPerTurn, maxCallsPerDay }]) => [
    name,
    { maxCallsPerTurn, maxCallsPerDay },
  ]);
  return { ...noRules, toolPolicies: Object.fromEntries(limits) as Rules['toolPolicies'] };
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
  dependencies: RulePort,
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
