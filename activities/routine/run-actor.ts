import { LRUCache } from 'lru-cache';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { RunActor } from '../../src/modules/routines/calls/routine-call-repository.ts';
import { findToolViolation } from '../../src/engines/rules/find-violation.ts';
import type { RoutineRef } from '../../src/modules/routines/routine-contract.ts';
import type { RoutinePort, RulePort } from '../step-dependencies.ts';
import { readRulings } from '../tool/read-rulings.ts';
import type { RoutineTool } from '../../src/modules/routines/calls/to-routine-tool.ts';

/** How many runs are remembered with their agents. */
const rememberedRuns = 1_000;

type RunOfActor = Pick<RoutineRef, 'workspaceId' | 'runId'>;

/** The agent as which a run acts, with its version. */
export interface VersionedActor extends RunActor {
  version: AgentVersion;
}

/** Reads the agents of runs, which stay the same for a whole run. */
export function rememberActors({
  pipelined,
  getVersion,
}: Pick<RoutinePort, 'pipelined' | 'getVersion'>): (run: RunOfActor) => Promise<VersionedActor> {
  const actors = new LRUCache<string, RunActor>({ max: rememberedRuns });
  return async ({ workspaceId, runId }) => {
    const key = `${workspaceId} ${runId}`;
    const actor =
      actors.get(key) ?? (await pipelined(workspaceId, ({ routineCalls }) => routineCalls.getActor(runId)));
    actors.set(key, actor);
    return { ...actor, version: await getVersion(workspaceId, actor.versionId) };
  };
}

/** Returns whether the agent of a run and those of the turns above have a tool on their lists. */
export async function mayCall(
  dependencies: RulePort,
  { workspaceId, runId }: RunOfActor,
  { actor, asked }: { actor: VersionedActor; asked: RoutineTool },
): Promise<boolean> {
  const { tool, name, arguments: input } = asked;
  const { version, agentId: agent_id, ruleSources: rule_sources } = actor;
  const call = { ...{ workspace_id: workspaceId, turn_id: runId }, agent_id, rule_sources, name };
  const rulings = await readRulings(dependencies, { call, version, tool, input });
  return rulings.every(({ rules, ruled }) => findToolViolation(rules, ruled, []) === null);
}
