import type { AgentEditor } from '../../agents/agent-editor.ts';
import { createAgent } from '../../agents/create-agent.ts';
import { deleteAgent } from '../../agents/delete-agent.ts';
import { recordConfigured } from '../../agents/agent-audit.ts';
import { updateAgent } from '../../agents/update-agent.ts';
import { createAgentRepository } from '../../agents/agent-repository.ts';
import { createAgentViewRepository } from './agent-view-repository.ts';
import { agentChangeSchema, agentInputSchema } from '../../agents/agent-schema.ts';
import type { DraftAgent } from '../../agents/tools/complete-tools.ts';
import type { AgentInput } from '../../../domain/agent.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import { keepForLater } from '../../../domain/rules.ts';
import type { Resource, ResourceCaller } from '../../../domain/resource.ts';
import type { ResourceDependencies } from '../resource-dependencies.ts';
import { resourceNotFound, versionConflict } from '../resource-errors.ts';
import type { NewResource, ResourceRevision, ResourceStore } from './resource-store.ts';

/**
 * Keeps nothing: reads and changes the agents of the workspace by their own use cases, which check and audit. An agent
 * changes and deletes only agents that it has made.
 */
export function createAgentStore(dependencies: ResourceDependencies): ResourceStore {
  const { database } = dependencies;
  const view = <Result>(
    { workspaceId }: ResourceCaller,
    run: (agents: ReturnType<typeof createAgentViewRepository>) => Promise<Result>,
  ) => database.inWorkspace(workspaceId, (trx) => run(createAgentViewRepository(trx)));
  const find = (caller: ResourceCaller, id: string) => view(caller, (agents) => agents.findAgent(id));
  return {
    list: (caller, { filters: { model }, query, madeBy, deleted, ...page }) =>
      view(caller, (agents) =>
        agents.listAgents({ query, madeBy, deleted, ...(typeof model === 'string' ? { model } : {}) }, page),
      ),

    find: async (caller, id, { deleted = false } = {}) => {
      const found = await find(caller, id);
      return found && (deleted || found.deletedAt === null) ? found : null;
    },

    add: async (caller, _kind, resource) => {
      const known = await find(caller, resource.id);
      if (known) return known;
      const input = await toAgentInput(dependencies, caller, resource);
      await createAgent(dependencies, toAgentCaller(caller), input);
      return getFound(await find(caller, resource.id), resource.id);
    },

    revise: (caller, revision) => revise(dependencies, caller, { revision, find }),

    delete: async (caller, { id, expectedVersion }) => {
      const found = getFound(await find(caller, id), id);
      refuseOthers(caller, found);
      if (expectedVersion !== undefined && expectedVersion !== found.version)
        throw versionConflict(found, expectedVersion);
      await deleteAgent(dependencies, caller, { agentId: id, permanent: false });
    },

    restore: async (caller, id) => {
      const found = await find(caller, id);
      if (!found) throw resourceNotFound(id);
      refuseOthers(caller, found);
      await database.inWorkspace(caller.workspaceId, async (trx) => {
        if (await createAgentViewRepository(trx).restoreAgent(id))
          await recordConfigured(trx, id, { restored: true });
      });
      return { ...found, deletedAt: null };
    },

    listVersions: (caller, { id, ...page }) => view(caller, (agents) => agents.listVersions(id, page)),
  };
}

interface AgentRevising {
  revision: ResourceRevision;
  find: (caller: ResourceCaller, id: string) => Promise<Resource | null>;
}

async function revise(
  dependencies: ResourceDependencies,
  caller: ResourceCaller,
  { revision, find }: AgentRevising,
): Promise<Resource> {
  const { id, expectedVersion } = revision;
  refuseOthers(caller, getFound(await find(caller, id), id));
  // An earlier version names its tools too; they are not changed here.
  const entries = Object.entries(revision.change).filter(([name]) => name !== 'tools');
  const change = agentChangeSchema.parse(Object.fromEntries(entries));
  const update = { agentId: id, change, expectedVersion };
  await updateAgent(dependencies, toAgentCaller(caller), update);
  return getFound(await find(caller, id), id);
}

/** The tools of an agent that an agent makes are copies of its maker's, which another actor had the right to add. */
function toAgentCaller({ workspaceId, maker }: ResourceCaller): AgentEditor {
  return { workspaceId, scopes: ['knowledge:read'], maker };
}

function getFound(found: Resource | null, id: string): Resource {
  if (found?.deletedAt !== null) throw resourceNotFound(id);
  return found;
}

/** @throws HoldfastError `FORBIDDEN` */
function refuseOthers({ maker }: ResourceCaller, { id, owner }: Resource): void {
  if (maker.type !== 'agent' || (owner?.type === 'agent' && owner.agentId === maker.agentId)) return;
  const message = `An agent changes and deletes only agents that it has made, and ${id} was made by somebody else.`;
  throw new HoldfastError('FORBIDDEN', message);
}

/** An agent that an agent makes has its rules and its model connection, and no tool that it does not have. */
async function toAgentInput(
  { database }: ResourceDependencies,
  { workspaceId, maker }: ResourceCaller,
  { id, attributes }: NewResource,
): Promise<DraftAgent<AgentInput>> {
  const { tools, ...fields } = attributes;
  const input = { ...agentInputSchema.parse(fields), id, owner: maker };
  const names = Array.isArray(tools) ? tools.map(String) : [];
  if (maker.type !== 'agent' || maker.agentId === null) {
    if (names.length > 0) throw toolsNotCopied(names);
    return input;
  }
  const { agentId } = maker;
  const parent = await database.inWorkspace(workspaceId, (trx) =>
    createAgentRepository(trx).getAgent(agentId),
  );
  const copied = parent.tools.filter(({ name }) => names.includes(name));
  const missing = names.filter((name) => !parent.tools.some((tool) => tool.name === name));
  if (missing.length > 0) throw toolsNotCopied(missing);
  return {
    ...input,
    tools: copied,
    // It may have fewer tools than its maker, whose rules hold for those it gets later.
    rules: keepForLater(parent.rules),
    modelConnectionId: parent.modelConnectionId,
  };
}

function toolsNotCopied(names: string[]): HoldfastError {
  const message = `expected names of tools of the agent that makes it, found ${names.join(', ')}`;
  return createInvalidInput([{ field: 'attributes.tools', message }]);
}
