import type { AgentVersion } from '../../src/domain/agent.ts';
import { withSkillList } from '../../src/domain/skill-tools.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { isAllowed, isGatewayAllowed } from '../../src/engines/rules/allowlist.ts';
import { plantCanaries } from '../../src/engines/rules/canary-instructions.ts';
import { isGateway } from '../../src/engines/tools/mcp/mcp-target.ts';
import { listedNames, toRuledCallAbove } from '../../src/engines/tools/to-ruled-call.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { namesServers, readNamed, readVersionsAbove } from '../rules-above.ts';

/** The version of an agent as a turn runs it. */
export interface TurnVersion {
  /**
   * With the agent's own canary tokens and the list of its skills in its instructions, and with the canary tokens of the turns
   * above in its rules.
   */
  version: AgentVersion;
  /** Returns whether the allowlists that hold in the turn have a tool. */
  allows: (tool: Tool) => boolean;
}

/** Reads the version that a turn runs, under the rules of the turns above. */
export async function readTurnVersion(
  dependencies: Pick<StepDependencies, 'getVersion' | 'pipelined'>,
  workspaceId: string,
  { agentVersionId, ruleSources }: Pick<TurnStep, 'agentVersionId' | 'ruleSources'>,
): Promise<TurnVersion> {
  const own = await dependencies.getVersion(workspaceId, agentVersionId);
  const above = await readVersionsAbove(dependencies, workspaceId, ruleSources);
  const tokens = [own, ...above.map(({ version }) => version)].flatMap(({ rules }) => rules.canaryTokens);
  const inherited = above.flatMap((one) => (one.inherits ? [one.version] : []));
  const allows = await createAllows(dependencies, workspaceId, { own, inherited });
  const instructions = plantCanaries(own.instructions, own.rules.canaryTokens);
  const version = {
    ...own,
    instructions: withSkillList({ ...own, instructions }, own.tools.filter(allows)),
    rules: { ...own.rules, canaryTokens: [...new Set(tokens)] },
  };
  return { version, allows };
}

async function createAllows(
  dependencies: Pick<StepDependencies, 'pipelined'>,
  workspaceId: string,
  { own, inherited }: { own: AgentVersion; inherited: AgentVersion[] },
): Promise<TurnVersion['allows']> {
  const lists = [own, ...inherited].filter(({ rules }) => rules.toolAllowlist !== undefined);
  const ids = lists.some(namesServers) ? listConnectionIds(own.tools) : [];
  const connections = await readNamed(dependencies, workspaceId, { ids, names: [] });
  const box = { tools: own.tools, connectors: own.connectors, connections };
  const listNames = (tool: Tool, version: AgentVersion) =>
    version === own
      ? listedNames(tool, box)
      : toRuledCallAbove({ tool, input: {}, box }, { ...version, connections }).listed;
  return (tool) =>
    lists.every((version) =>
      isGateway(tool)
        ? isGatewayAllowed(version.rules, tool.name)
        : isAllowed(version.rules, listNames(tool, version)),
    );
}

/** The connections of tools that no connector leads to. */
function listConnectionIds(tools: Tool[]): string[] {
  const ids = tools.flatMap((tool) => (tool.type === 'mcp' ? (tool.config.connectionId ?? []) : []));
  return [...new Set(ids)];
}
