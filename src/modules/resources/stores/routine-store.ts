import { createRoutineViewRepository, type RoutineViewFilter } from './routine-view-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { Resource, ResourceCaller } from '../../../domain/resource.ts';
import {
  createRoutine,
  deleteRoutine,
  getRoutine,
  restoreRoutine,
  updateRoutine,
} from '../../routines/store-routine.ts';
import type { ResourceDependencies } from '../resource-dependencies.ts';
import { resourceNotFound, versionConflict } from '../resource-errors.ts';
import type { ResourceStore } from './resource-store.ts';
import { toDescribedRoutine } from './routine-attributes.ts';

type View = ReturnType<typeof createRoutineViewRepository>;

/**
 * Keeps nothing: reads and changes the routines of the workspace by their own use cases, which check and audit. An agent
 * changes and deletes only routines that it has made, and makes none that acts as another agent.
 */
export function createRoutineStore(dependencies: ResourceDependencies, kind: string): ResourceStore {
  const { database } = dependencies;
  const view = <Result>({ workspaceId }: ResourceCaller, run: (routines: View) => Promise<Result>) =>
    database.inWorkspace(workspaceId, (trx) => run(createRoutineViewRepository(trx)));
  const find = (caller: ResourceCaller, id: string) => view(caller, (routines) => routines.findRoutine(id));
  const getOwn = async (caller: ResourceCaller, id: string) => {
    const found = await find(caller, id);
    if (!found) throw resourceNotFound(id);
    refuseOthers(caller, found);
    return found;
  };
  return {
    list: (caller, { filters: { tags, agentId }, query, madeBy, deleted, ...page }) => {
      // Routines have no tags.
      if (Array.isArray(tags) && tags.length > 0) return Promise.resolve({ items: [], nextCursor: null });
      const filter: RoutineViewFilter = { kind, query, madeBy, deleted };
      if (typeof agentId === 'string') filter.agentId = agentId;
      return view(caller, (routines) => routines.listRoutines(filter, page));
    },

    find: async (caller, id, { deleted = false } = {}) => {
      const found = await find(caller, id);
      return found?.kind === kind && (deleted || found.deletedAt === null) ? found : null;
    },

    add: async (caller, _kind, { id, attributes }) => {
      const known = await find(caller, id);
      if (known) return known;
      const input = toDescribedRoutine(kind, attributes);
      refuseOtherAgent(caller, input.agentId);
      await createRoutine(dependencies, caller, { ...input, id, owner: caller.maker });
      return getOwn(caller, id);
    },

    revise: async (caller, { id, change, isWhole = false, expectedVersion, requestId }) => {
      const { attributes } = await getOwn(caller, id);
      const { document } = await getRoutine(dependencies, caller, id);
      const input = toDescribedRoutine(kind, isWhole ? change : { ...attributes, ...change }, document);
      refuseOtherAgent(caller, input.agentId);
      const made = { expectedVersion, requestId, madeBy: caller.maker };
      await updateRoutine(dependencies, caller, { ...input, id, ...made });
      return getOwn(caller, id);
    },

    delete: async (caller, { id, expectedVersion }) => {
      const found = await getOwn(caller, id);
      if (expectedVersion !== undefined && expectedVersion !== found.version)
        throw versionConflict(found, expectedVersion);
      await deleteRoutine(dependencies, caller, id);
    },

    restore: async (caller, id) => {
      await getOwn(caller, id);
      await restoreRoutine(dependencies, caller, id);
      return getOwn(caller, id);
    },

    listVersions: (caller, { id, ...page }) => view(caller, (routines) => routines.listVersions(id, page)),
  };
}

/** @throws HoldfastError `FORBIDDEN` */
function refuseOthers({ maker }: ResourceCaller, { id, owner }: Resource): void {
  if (maker.type !== 'agent' || (owner?.type === 'agent' && owner.agentId === maker.agentId)) return;
  const message = `An agent changes and deletes only routines that it has made, and ${id} was made by somebody else.`;
  throw new HoldfastError('FORBIDDEN', message);
}

/** A routine that acts as another agent would lend its maker the tools and the rules of that agent. */
function refuseOtherAgent({ maker }: ResourceCaller, agentId: string): void {
  if (maker.type !== 'agent' || agentId === maker.agentId) return;
  throw new HoldfastError('FORBIDDEN', 'An agent makes only routines that act as itself.');
}
