import type { Knex } from 'knex';
import { createAgentRepository } from '../agent-repository.ts';
import type { Agent } from '../../../domain/agent.ts';
import { withSkillTools } from '../../../domain/skill-tools.ts';
import type { Maker } from '../../../domain/resource.ts';
import type { Tool, ToolDraft } from '../../../domain/tool.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { recordConfigured } from '../agent-audit.ts';
import { toMaker, type AgentEditor } from '../agent-editor.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { checkToolCount, toolNamesTaken } from './agent-tools.ts';
import { checkTools } from '../check-agent.ts';
import { completeTools } from './complete-tools.ts';
import { prepareTools, type PreparedTool } from './prepare-tools.ts';
import { toShownAgent } from '../connectors/shown-connectors.ts';
import { syncPins } from './sync-pins.ts';
import { withWarnings } from '../with-warnings.ts';

interface AddedTools {
  agentId: string;
  tools: ToolDraft[];
  /** Gives the text before the fields of a tool in an error. @default `tools.<index>.` */
  toPrefix?: (index: number) => string;
}

/**
 * Adds tools to an agent: all of them in one new version, or none.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT` for a name that is taken, `INVALID_INPUT` for tools that cannot be used
 * or too many of them, `CONNECTION_ACCESS_DENIED`, `CONNECTION_NOT_ACTIVE`
 */
export async function addTools(
  dependencies: AgentDependencies,
  actor: AgentEditor,
  { agentId, tools: drafts, toPrefix }: AddedTools,
): Promise<{ agent: Agent; tools: Tool[] }> {
  const tools = completeTools(dependencies, { tools: drafts, toPrefix });
  await checkTools(dependencies, actor, { tools, toPrefix });
  const prepared = await prepareTools(dependencies, actor, { tools, toPrefix });
  const saved = await dependencies.database.inWorkspace(actor.workspaceId, (trx) =>
    save(trx, { agentId, prepared, madeBy: toMaker(actor) }),
  );
  const agent = await withWarnings(dependencies, actor, saved);
  return { ...saved, agent: toShownAgent(actor, agent) };
}

/**
 * Adds one tool to an agent, in a new version.
 * @throws HoldfastError the same codes as `addTools`; the fields of an error are those of the tool
 */
export async function addTool(
  dependencies: AgentDependencies,
  actor: AgentEditor,
  { agentId, tool: input }: { agentId: string; tool: ToolDraft },
): Promise<{ agent: Agent; tool: Tool }> {
  const one = { agentId, tools: [input], toPrefix: () => '' };
  const { agent, tools } = await addTools(dependencies, actor, one);
  const [tool] = tools;
  if (!tool) throw new Error('expected the tool that was added, found none');
  return { agent, tool };
}

interface SavedTools {
  agentId: string;
  prepared: PreparedTool[];
  madeBy: Maker;
}

async function save(
  trx: Knex,
  { agentId, prepared, madeBy }: SavedTools,
): Promise<{ agent: Agent; tools: Tool[] }> {
  const tools = prepared.map(({ input }) => ({ ...input, id: newId() }));
  const names = tools.map(({ name }) => name);
  const agent = await createAgentRepository(trx, madeBy).reviseAgent(agentId, (current) => {
    const { tools: present } = current;
    const taken = new Set(withSkillTools(current).tools.map(({ name }) => name));
    const again = names.filter((name) => taken.has(name));
    if (again.length > 0) throw toolNamesTaken(again);
    checkToolCount(present.length + tools.length);
    return { tools: [...present, ...tools] };
  });
  await syncPins(trx, { agent, before: [], prepared });
  await recordConfigured(trx, agent.id, { version: agent.version, tools_added: names });
  return { agent, tools };
}
