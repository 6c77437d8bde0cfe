import type { Knex } from 'knex';
import { createAgentRepository } from './agent-repository.ts';
import type { Agent, AgentChange } from '../../domain/agent.ts';
import type { Maker } from '../../domain/resource.ts';
import type { Tool } from '../../domain/tool.ts';
import { recordConfigured } from './agent-audit.ts';
import { toMaker, type AgentEditor } from './agent-editor.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { checkAgent } from './check-agent.ts';
import { changesModels, checkModels } from './models/check-models.ts';
import { completeTools, type DraftAgent } from './tools/complete-tools.ts';
import { prepareTools, type PreparedTool } from './tools/prepare-tools.ts';
import { refuseOtherVersion } from './configuration/refuse-other-version.ts';
import { refuseUnmatchedRules, toRulesForLater } from './rules-for-later.ts';
import { toShownAgent } from './connectors/shown-connectors.ts';
import { pinSkills } from '../skills/pin-skills.ts';
import type { AgentRevision } from './agent-revision.ts';
import { refuseSkillToolNames } from './skill-tool-names.ts';
import { syncPins } from './tools/sync-pins.ts';
import { withWarnings } from './with-warnings.ts';

interface AgentUpdate<Change = AgentChange> {
  agentId: string;
  /** Fields that are named are replaced as a whole; the other fields stay. */
  change: Change;
  /** The version that the caller has seen; the change of another one is refused. @default any */
  expectedVersion?: number | undefined;
}

/**
 * Makes a new version of an agent. Its tools, when they change, are checked and pinned; its models are checked when they or
 * their settings change.
 * @throws HoldfastError `NOT_FOUND`, `UNKNOWN_MODEL`, `INVALID_INPUT`, `FORBIDDEN`, `CONNECTION_ACCESS_DENIED`,
 * `CONNECTION_NOT_ACTIVE`; `CONFLICT` when `expectedVersion` is not the present version
 */
export async function updateAgent(
  dependencies: AgentDependencies,
  actor: AgentEditor,
  { agentId, change: draft, expectedVersion }: AgentUpdate<DraftAgent<AgentChange>>,
): Promise<Agent> {
  const { database } = dependencies;
  const { workspaceId } = actor;
  const { tools: drafts, skills: pins, ...rest } = draft;
  const tools = drafts && completeTools(dependencies, { tools: drafts });
  const change: Omit<AgentChange, 'skills'> = tools ? { ...rest, tools } : rest;
  await checkAgent(dependencies, actor, change);
  const current =
    tools && (await database.inWorkspace(workspaceId, (trx) => createAgentRepository(trx).getAgent(agentId)));
  const prepared = tools && (await prepareTools(dependencies, actor, { tools, known: current?.tools }));
  const updated = await database.inWorkspace(workspaceId, async (trx) => {
    const skills = pins && (await pinSkills(trx, actor, pins));
    const revision = { ...change, ...(skills && { skills }) };
    const agent = await saveVersion(trx, { agentId, change: revision, prepared, madeBy: toMaker(actor) });
    if (skills ?? tools) refuseSkillToolNames(agent);
    // `agent` is the new version, so the version before it has to be the expected one; throwing rolls the new one back.
    if (expectedVersion !== undefined) refuseOtherVersion(agentId, agent.version - 1, expectedVersion);
    if (change.rules) await refuseUnmatchedRules(trx, agent);
    if (changesModels(change)) await checkModels(trx, agent);
    return agent;
  });
  return toShownAgent(actor, await withWarnings(dependencies, actor, { agent: updated, asked: change }));
}

interface SavedVersion extends AgentUpdate<AgentRevision> {
  prepared: PreparedTool[] | undefined;
  madeBy: Maker;
}

async function saveVersion(trx: Knex, { agentId, change, prepared, madeBy }: SavedVersion): Promise<Agent> {
  const agents = createAgentRepository(trx, madeBy);
  let before: Tool[] = [];
  const agent =
    prepared || change.skills
      ? await agents.reviseAgent(agentId, async (current) => {
          before = current.tools;
          const tools = prepared?.map(({ input }) => input);
          const skills = change.skills ?? current.skills;
          // Names and places decide which rules match, and the ids of new tools are not known yet.
          const named = tools?.map((tool) => ({ ...tool, id: '' })) ?? current.tools;
          const rules = change.rules ?? (await toRulesForLater(trx, { ...current, tools: named, skills }));
          return { ...change, ...(tools && { tools }), rules };
        })
      : await agents.updateAgent(agentId, change);
  if (prepared) await syncPins(trx, { agent, before, prepared });
  await recordConfigured(trx, agent.id, { version: agent.version, changed: Object.keys(change) });
  return agent;
}
