import { createWorkspaceRepository, type Workspace } from './workspace-repository.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { WorkspaceDependencies } from './workspace-dependencies.ts';

const longestName = 200;

/** Creates a workspace. @throws HoldfastError `INVALID_INPUT`, or `CONFLICT` when a workspace has this name */
export async function createWorkspace({ database }: WorkspaceDependencies, name: string): Promise<Workspace> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > longestName) {
    throw createInvalidInput([{ field: 'name', message: `expected 1 to ${longestName} characters` }]);
  }
  const workspaces = createWorkspaceRepository(database.system);
  const [existing] = await workspaces.listNamed(trimmed);
  if (existing) {
    throw new HoldfastError(
      'CONFLICT',
      `There is a workspace "${trimmed}" already; its id is ${existing.id}.`,
    );
  }
  return workspaces.createWorkspace(trimmed);
}

/** Lists the workspaces that are not deleted, oldest first. */
export async function listWorkspaces({ database }: WorkspaceDependencies): Promise<Workspace[]> {
  return createWorkspaceRepository(database.system).listWorkspaces();
}

/** Finds a workspace by its id or its name. @throws HoldfastError `NOT_FOUND`, or `CONFLICT` for an ambiguous name */
export async function getWorkspace(
  { database }: WorkspaceDependencies,
  idOrName: string,
): Promise<Workspace> {
  const workspaces = createWorkspaceRepository(database.system);
  const byId = isUuid(idOrName) ? await workspaces.findWorkspace(idOrName) : null;
  const [found, another] = byId ? [byId] : await workspaces.listNamed(idOrName);
  if (!found) {
    throw new HoldfastError(
      'NOT_FOUND',
      `There is no workspace "${idOrName}". Create it first: holdfast workspaces create "${idOrName}".`,
    );
  }
  if (another) {
    const message = `Several workspaces are named "${idOrName}". Give the id of one of them instead.`;
    throw new HoldfastError('CONFLICT', message);
  }
  return found;
}
