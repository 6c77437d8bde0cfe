import type { Knex } from 'knex';
import { createAgentRepository } from './agent-repository.ts';
import type { Agent, AgentInput } from '../../domain/agent.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { recordConfigured } from './agent-audit.ts';
import { toMaker, type AgentEditor } from './agent-editor.ts';
import type { AgentDependencies } from './agent-dependencies.ts';
import { checkAgent } from './check-agent.ts';
import { checkModels } from './models/check-models.ts';
import { completeTools, type DraftAgent } from './tools/complete-tools.ts';
import { prepareTools } from './tools/prepare-tools.ts';
import { refuseUnmatchedRules } from './rules-for-later.ts';
import { pinSkills } from '../skills/pin-skills.ts';
import { refuseSkillToolNames } from './skill-tool-names.ts';
import { syncPins } from './tools/sync-pins.ts';
import { withWarnings } from './with-warnings.ts';

/**
 * Creates an agent with version 1 and pins its tools. An agent of a project has its own name.
 * @throws HoldfastError `CONFLICT` when an agent has the name of an agent of a project, `UNKNOWN_MODEL`, `INVALID_INPUT`,
 * `FORBIDDEN`, `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`
 */
export async function createAgent(
  dependencies: AgentDependencies,
  actor: AgentEditor,
  draft: DraftAgent<AgentInput>,
): Promise<Agent> {
  const input = { ...draft, tools: completeTools(dependencies, draft) };
  await checkAgent(dependencies, actor, input);
  const prepared = await prepareTools(dependencies, actor, input);
  const created = await dependencies.database.inWorkspace(actor.workspaceId, async (trx) => {
    if (input.owner?.project !== undefined) await refuseTakenName(trx, input.name);
    await checkModels(trx, input);
    const tools = prepared.map(({ input: tool }) => tool);
    const skills = await pinSkills(trx, actor, input.skills);
    const agent = await createAgentRepository(trx, toMaker(actor)).createAgent({ ...input, tools, skills });
    refuseSkillToolNames(agent);
    await refuseUnmatchedRules(trx, agent);
    await syncPins(trx, { agent, before: [], prepared });
    const { id, version } = agent;
    const added = tools.map(({ name }) => name);
    await recordConfigured(trx, id, { version, created: true, tools_added: added });
    return agent;
  });
  return withWarnings(dependencies, actor, { agent: created, asked: draft });
}

async function refuseTakenName(trx: Knex, name: string): Promise<void> {
  const found = await createAgentRepository(trx).findNamed(name);
  if (!found) return;
  const message = `There is an agent named "${name}" already: ${found.id}.`;
  throw new HoldfastError('CONFLICT', message, { details: { agentId: found.id } });
}
