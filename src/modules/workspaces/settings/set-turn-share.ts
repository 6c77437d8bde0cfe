import { createWorkspaceRepository } from '../workspace-repository.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

const mostTurns = 100_000;
/** The weights that Temporal takes. */
const weights = { min: 0.001, max: 1000 };

/**
 * Sets how many turns of a workspace run at once; `default` for no limit.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setMaxTurns(
  { database }: WorkspaceDependencies,
  workspaceId: string,
  number: string,
): Promise<void> {
  const turns = /^[1-9]\d{0,5}$/.test(number) && Number(number) <= mostTurns ? Number(number) : null;
  if (turns === null && number !== 'default') {
    const message = `expected "default" or a number from 1 to ${mostTurns}, found "${number}"`;
    throw createInvalidInput([{ field: 'number', message }]);
  }
  await createWorkspaceRepository(database.system).setTurnShare(workspaceId, { maxRunningTurns: turns });
}

/**
 * Sets the weight of a workspace beside others when workers are busy; `default` for 1.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setTurnWeight(
  { database }: WorkspaceDependencies,
  workspaceId: string,
  number: string,
): Promise<void> {
  const weight = /^\d{1,4}(\.\d{1,3})?$/.test(number) ? Number(number) : null;
  const isValid = weight === null ? number === 'default' : weight >= weights.min && weight <= weights.max;
  if (!isValid) {
    const message = `expected "default" or a number from ${weights.min} to ${weights.max}, found "${number}"`;
    throw createInvalidInput([{ field: 'number', message }]);
  }
  await createWorkspaceRepository(database.system).setTurnShare(workspaceId, { weight });
}
