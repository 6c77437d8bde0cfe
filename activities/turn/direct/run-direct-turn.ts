import os from 'node:os';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { toSettleReserveMs, toSoftDeadlineMs } from '../../../src/domain/limits.ts';
import type {
  AgentTurnInput,
  BegunTurn,
  RestOfTurn,
  RunTurnInput,
} from '../../../src/contract/turn-steps.ts';
import { leastTimeMs } from '../../../src/modules/turns/direct/direct-turn-repository.ts';
import { createContextCache } from '../../model/context-cache.ts';
import type { StepDependencies } from '../../step-dependencies.ts';
import { createTurnRun } from '../run-turn.ts';
import { createSettleTurn } from '../settle-turn.ts';

/**
 * Runs a turn without a workflow until its outcome is stored. Returns the rest of a turn that waits for a person or a child,
 * that is stopped by a shutdown, that another worker has taken, or whose outcome could not be stored.
 * @param owner the worker, which holds the turns that it has claimed
 */
export function createRunDirectTurn(steps: StepDependencies, owner: string) {
  const runTurn = createTurnRun(steps, createContextCache(), owner);
  const settleTurn = createSettleTurn(steps);

  return (input: AgentTurnInput, signal: AbortSignal): Promise<BegunTurn | undefined> => {
    const { workspaceId, turnId, limits } = input;
    const deadlineAt = Date.now() + toSoftDeadlineMs(limits.turnTimeoutMs);
    const endsAt = deadlineAt + toSettleReserveMs(limits.turnTimeoutMs);
    const toBegun = (rest: RestOfTurn, lines: string[] = []): BegunTurn => ({
      ...{ rest, lines, worker: `${process.pid}@${os.hostname()}` },
      timeLeftMs: Math.max(leastTimeMs, deadlineAt - Date.now()),
    });
    return asyncLocalStorage.run(createContext(signal, endsAt), async () => {
      try {
        const { rest, ending, stopped, iteration, lines } = await runTurn(toRunInput(input, deadlineAt));
        if (rest) return toBegun(rest, lines);
        const end = stopped ?? { outcome: 'failed' as const };
        if (!ending) await settleTurn({ workspaceId, turnId, iterations: iteration, ...end }, owner);
        return undefined;
      } catch (error) {
        steps.logger.warn({ err: error, turnId }, 'the turn continues in a workflow');
        return toBegun({ iteration: 1 });
      }
    });
  };
}

function toRunInput(input: AgentTurnInput, deadlineAt: number): RunTurnInput {
  const { workspaceId, conversationId, turnId, model, limits } = input;
  const { activityTimeoutMs, maxIterations } = limits;
  return {
    ...{ workspaceId, conversationId, turnId, model, deadlineAt, iteration: 1 },
    limits: { activityTimeoutMs, maxIterations },
  };
}

/** The steps of a turn expect the context of an activity. This one sends no heartbeats, and comes before all attempts. */
function createContext(cancellationSignal: AbortSignal, endsAt: number): Context {
  const now = Date.now();
  const info = {
    ...{ attempt: 0, heartbeatDetails: undefined, startToCloseTimeoutMs: 0 },
    ...{ scheduledTimestampMs: now, currentAttemptScheduledTimestampMs: now },
    scheduleToCloseTimeoutMs: endsAt - now,
  };
  return { info, cancellationSignal, heartbeat: () => undefined } as unknown as Context;
}
