import type { AgentVersion } from '../../domain/agent.ts';
import type { NamedConnection, Rules } from '../../domain/rules.ts';
import type { ResolvedTool, Tool, Toolbox } from '../../domain/tool.ts';
import { isAllowed, isGatewayAllowed } from '../rules/allowlist.ts';
import { resolveCall, toolboxOf, toRuledCallAbove } from './toolbox.ts';

/** The tools of an agent, and the allowlist that holds for them. */
interface RuledTools {
  rules: Pick<Rules, 'toolAllowlist'>;
  box: Toolbox;
}

/** Lists the tools that are on the allowlist of their agent, and on those of the agents above. */
export function listAllowedTools({ rules, box }: RuledTools, above: RuledTools[] = []): Tool[] {
  const lists = above.filter((one) => one.rules.toolAllowlist !== undefined);
  const isOnAll = (one: ResolvedTool) => {
    const call = resolveCall(one.tool, {}, box);
    return lists.every((list) => isOn(list.rules, one, toRuledCallAbove(call, list.box).listed));
  };
  return box.tools.filter((one) => isOn(rules, one, one.listed) && isOnAll(one)).map(({ tool }) => tool);
}

function isOn(rules: RuledTools['rules'], { tool, isGateway }: ResolvedTool, names: string[]): boolean {
  return isGateway ? isGatewayAllowed(rules, tool.name) : isAllowed(rules, names);
}

/** Returns the tools of an agent that are switched on and in its allowlist. */
export function listOfferedTools(version: AgentVersion, connections: NamedConnection[]): Tool[] {
  const { rules } = version;
  const allowed = listAllowedTools({ rules, box: toolboxOf(version, connections) });
  return allowed.filter(({ settings }) => settings?.enabled !== false);
}
