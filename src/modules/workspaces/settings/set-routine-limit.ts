import { createWorkspaceRepository } from '../workspace-repository.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

const most = { steps: 1_000_000, hours: 87_600, credits: 1_000_000_000_000 };

/**
 * Sets how many steps or hours a run of a routine may take, or how many credits it may cost; `default` for 10,000 steps, any
 * time and any cost. Runs that have begun take a limit of steps or hours when they are read again, after some hundreds of
 * steps, and one of credits with their next call.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setRoutineLimit(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  workspaceId: string,
  { of, number }: { of: keyof typeof most; number: string },
): Promise<void> {
  const value = /^[1-9]\d{0,12}$/.test(number) && Number(number) <= most[of] ? Number(number) : null;
  if (value === null && number !== 'default') {
    const message = `expected "default" or a number from 1 to ${most[of]}, found "${number}"`;
    throw createInvalidInput([{ field: 'number', message }]);
  }
  await createWorkspaceRepository(database.system).setRoutineLimit(workspaceId, { of, most: value });
}
