import { createWorkspaceRepository } from '../db/workspaces/workspace-repository.ts';
import { createInvalidInput } from '../domain/errors.ts';
import type { WorkspaceDependencies } from './workspace-dependencies.ts';

const most = { steps: 1_000_000, hours: 87_600 };

/**
 * Sets how many steps, or hours, a run of a routine may take; `default` for 10,000 steps and any time. Runs that have
 * begun take the limit when they are read again, after some hundreds of steps.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setRoutineLimit(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  workspaceId: string,
  { of, number }: { of: 'steps' | 'hours'; number: string },
): Promise<void> {
  const value = /^[1-9]\d{0,6}$/.test(number) && Number(number) <= most[of] ? Number(number) : null;
  if (value === null && number !== 'default') {
    const message = `expected "default" or a number from 1 to ${most[of]}, found "${number}"`;
    throw createInvalidInput([{ field: 'number', message }]);
  }
  await createWorkspaceRepository(database.system).setRoutineLimit(workspaceId, { [of]: value });
}
