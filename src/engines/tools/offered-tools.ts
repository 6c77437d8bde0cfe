import type { AgentVersion } from '../../domain/agent.ts';
import type { NamedConnection } from '../../domain/rules.ts';
import type { Tool } from '../../domain/tool.ts';
import { isAllowed, isGatewayAllowed } from '../rules/allowlist.ts';
import { isGateway } from './mcp/mcp-target.ts';
import { listedNames } from './to-ruled-call.ts';

/** Returns the tools of an agent that are switched on and in its allowlist. */
export function listOfferedTools(version: AgentVersion, connections: NamedConnection[]): Tool[] {
  const { tools, connectors, rules } = version;
  const box = { tools, connectors, connections };
  return tools.filter((tool) => {
    if (tool.settings?.enabled === false) return false;
    return isGateway(tool) ? isGatewayAllowed(rules, tool.name) : isAllowed(rules, listedNames(tool, box));
  });
}
