import { createWorkspaceRepository } from '../workspace-repository.ts';
import { approvalModes } from '../../../domain/approval.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/**
 * Sets whether people approve the calls of a workspace that are not `read_only`, of tools without a setting.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function setApproval(
  { database }: WorkspaceDependencies,
  workspaceId: string,
  mode: string,
): Promise<void> {
  const approval = approvalModes.find((one) => one === mode);
  if (!approval) {
    const message = `expected one of ${approvalModes.join(', ')}, found "${mode}"`;
    throw createInvalidInput([{ field: 'mode', message }]);
  }
  await createWorkspaceRepository(database.system).setApproval(workspaceId, approval);
}
