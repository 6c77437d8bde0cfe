import type { AgentVersion } from '../../src/domain/agent.ts';
import { withSkillList } from '../../src/domain/skill-tools.ts';
import type { Tool } from '../../src/domain/tool.ts';
import type { TurnStep } from '../../src/modules/turns/context/turn-context-repository.ts';
import { plantCanaries } from '../../src/engines/rules/canary-instructions.ts';
import { listAllowedTools } from '../../src/engines/tools/offered-tools.ts';
import { listConnectionIds, toolboxOf } from '../../src/engines/tools/toolbox.ts';
import type { RulePort } from '../step-dependencies.ts';
import { namesServers, readNamed, readVersionsAbove } from '../rules-above.ts';

/** The version of an agent as a turn runs it. */
export interface TurnVersion {
  /**
   * With the agent's own canary tokens and the list of its skills in its instructions, and with the canary tokens of the turns
   * above in its rules.
   */
  version: AgentVersion;
  /** The tools of the version that are on the allowlists that hold in the turn. */
  allowed: Tool[];
}

/** Reads the version that a turn runs, under the rules of the turns above. */
export async function readTurnVersion(
  dependencies: RulePort,
  workspaceId: string,
  { agentVersionId, ruleSources }: Pick<TurnStep, 'agentVersionId' | 'ruleSources'>,
): Promise<TurnVersion> {
  const own = await dependencies.getVersion(workspaceId, agentVersionId);
  const above = await readVersionsAbove(dependencies, workspaceId, ruleSources);
  const tokens = [own, ...above.map(({ version }) => version)].flatMap(({ rules }) => rules.canaryTokens);
  const inherited = above.flatMap((one) => (one.inherits ? [one.version] : []));
  const allowed = await readAllowed(dependencies, workspaceId, { own, inherited });
  const instructions = plantCanaries(own.instructions, own.rules.canaryTokens);
  const version = {
    ...own,
    instructions: withSkillList({ ...own, instructions }, allowed),
    rules: { ...own.rules, canaryTokens: [...new Set(tokens)] },
  };
  return { version, allowed };
}

/** Reads the names of connections only where an allowlist may name one. */
async function readAllowed(
  dependencies: RulePort,
  workspaceId: string,
  { own, inherited }: { own: AgentVersion; inherited: AgentVersion[] },
): Promise<Tool[]> {
  const lists = [own, ...inherited].filter(({ rules }) => rules.toolAllowlist !== undefined);
  const ids = lists.some(namesServers) ? listConnectionIds(toolboxOf(own)) : [];
  const connections = await readNamed(dependencies, workspaceId, { ids, names: [] });
  const toRuled = (version: AgentVersion) => ({
    rules: version.rules,
    box: toolboxOf(version, connections),
  });
  return listAllowedTools(toRuled(own), inherited.map(toRuled));
}
