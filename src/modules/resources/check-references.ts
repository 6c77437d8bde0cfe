import { createAgentRepository } from '../agents/agent-repository.ts';
import { createResourceRepository } from './stores/resource-repository.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import type { CheckContext } from './resource-kind.ts';

/**
 * Checks that resources exist in the workspace, and are no memories about a person of whom the caller sees none.
 * @throws HoldfastError `INVALID_INPUT` that names the ones which do not
 */
export async function checkReferences(
  { dependencies, caller: { workspaceId, onlyPerson } }: CheckContext,
  { field, ids }: { field: string; ids: string[] },
): Promise<void> {
  const found = await dependencies.database.inWorkspace(workspaceId, async (trx) => [
    ...(await createResourceRepository(trx).listExisting(ids, onlyPerson)),
    ...(await createAgentRepository(trx).findAgentNames(ids)).keys(),
  ]);
  refuseMissing(
    ids.map((id, index) => [`${field}.${index}`, id] as const),
    { found, what: 'resource' },
  );
}

/**
 * Checks that agents exist in the workspace. Each id comes with the name of its field.
 * @throws HoldfastError `INVALID_INPUT` that names the ones which do not
 */
export async function checkAgents(
  { dependencies, caller: { workspaceId } }: CheckContext,
  ids: (readonly [field: string, id: string])[],
): Promise<void> {
  const found = await dependencies.database.inWorkspace(workspaceId, (trx) =>
    createAgentRepository(trx).findAgentNames(ids.map(([, id]) => id)),
  );
  refuseMissing(ids, { found: [...found.keys()], what: 'agent' });
}

function refuseMissing(
  ids: (readonly [field: string, id: string])[],
  { found, what }: { found: string[]; what: string },
): void {
  const known = new Set(found);
  const missing = ids.filter(([, id]) => !known.has(id.toLowerCase()));
  if (missing.length === 0) return;
  const errors = missing.map(([field, id]) => ({
    field: `attributes.${field}`,
    message: `expected the id of a ${what} of this workspace, found ${id}`,
  }));
  throw createInvalidInput(errors.slice(0, 50));
}
