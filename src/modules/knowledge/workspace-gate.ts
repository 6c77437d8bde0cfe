import pLimit, { type LimitFunction } from 'p-limit';
import type { Busy } from './document-contract.ts';

/** The workspace in whose name a step runs. */
interface Step {
  workspaceId: string;
}

/** Runs work, or answers `busy` when its turn has not come within the patience. */
type WorkspaceGate = <Result>(step: Step, work: () => Promise<Result>) => Promise<Result | Busy>;

/**
 * Limits how much work of one workspace runs in this process, so that it never takes the slots of all others. Work waits
 * for a moment only, since it holds a slot of the worker while it waits.
 */
export function createWorkspaceGate(perWorkspace: number, patienceMs = 250): WorkspaceGate {
  const limits = new Map<string, LimitFunction>();
  return async <Result>({ workspaceId }: Step, work: () => Promise<Result>) => {
    const limit = limits.get(workspaceId) ?? pLimit(perWorkspace);
    limits.set(workspaceId, limit);
    const late = Promise.withResolvers<Busy>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.resolve('busy');
    }, patienceMs);
    const done = limit(async (): Promise<Result | Busy> => {
      if (isLate) return 'busy';
      clearTimeout(timer);
      return work();
    });
    try {
      return await Promise.race([done, late.promise]);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(workspaceId);
    }
  };
}
