import { createWorkspaceRepository } from '../workspace-repository.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import { limitBounds } from '../../../domain/limits.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/**
 * Sets how long turns of a workspace wait for a worker, in seconds, where their agent sets nothing; `default` for the
 * default of Holdfast.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setStartTimeout(
  { database }: WorkspaceDependencies,
  workspaceId: string,
  seconds: string,
): Promise<void> {
  const { min, max } = limitBounds.startTimeoutMs;
  const timeoutMs = /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : null;
  const isValid = timeoutMs === null ? seconds === 'default' : timeoutMs >= min && timeoutMs <= max;
  if (!isValid) {
    const message = `expected "default" or a number from ${min / 1000} to ${max / 1000}, found "${seconds}"`;
    throw createInvalidInput([{ field: 'seconds', message }]);
  }
  await createWorkspaceRepository(database.system).setStartTimeout(workspaceId, timeoutMs);
}
