import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/activity';
import type { AgentTurnInput } from '../../../src/contract/turn-steps.ts';

interface RunningTurn {
  workspaceId: string;
  /** Whether the row of the turn names this worker. */
  isOwned: boolean;
  stop: AbortController;
  end: Promise<void>;
}

/** Runs a turn, and calls `owned` when the row of the turn names this worker. Must not reject. */
type Run = (signal: AbortSignal, owned: () => void) => Promise<void>;

/** Why a turn is stopped, as Temporal says it to an activity: it continues elsewhere, unless it is cancelled. */
type Reason = 'CANCELLED' | 'TIMED_OUT' | 'WORKER_SHUTDOWN';

/** Returns whether a turn was stopped because it belongs to another worker, or gets a workflow, already. */
export function hasLeft(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return reason instanceof CancelledFailure && reason.message === ('TIMED_OUT' satisfies Reason);
}

/** The turns that run in a process, up to a number of places, at most half of them of one workspace. */
export function createRunningTurns(places: number) {
  const running = new Map<string, RunningTurn>();

  const stop = (turnId: string, reason: Reason): void =>
    running.get(turnId)?.stop.abort(new CancelledFailure(reason));
  const ended = () => Promise.all([...running.values()].map(({ end }) => end));

  return {
    /** Runs a turn, unless it runs already. */
    add: ({ turnId, workspaceId }: AgentTurnInput, run: Run): void => {
      if (running.has(turnId)) return;
      const turn = { workspaceId, isOwned: false, stop: new AbortController(), end: Promise.resolve() };
      const owned = () => {
        turn.isOwned = true;
      };
      running.set(turnId, turn);
      turn.end = run(turn.stop.signal, owned).finally(() => running.delete(turnId));
    },
    stop,
    /** Waits for a while until all turns have ended, and then stops those that run. */
    drain: async (graceMs: number): Promise<void> => {
      const grace = new AbortController();
      await Promise.race([ended(), sleep(graceMs, undefined, { signal: grace.signal })]);
      grace.abort();
      for (const turnId of running.keys()) stop(turnId, 'WORKER_SHUTDOWN');
      await ended();
    },
    list: (): string[] => [...running.keys()],
    /** Lists the turns whose rows name this worker. */
    listOwned: (): string[] => [...running].flatMap(([turnId, { isOwned }]) => (isOwned ? [turnId] : [])),
    hasPlace: (workspaceId: string): boolean => {
      const sameWorkspace = [...running.values()].filter((turn) => turn.workspaceId === workspaceId);
      return running.size < places && sameWorkspace.length < Math.ceil(places / 2);
    },
    /** The share of the places that are taken, from 0 to 1. */
    load: (): number => running.size / places,
  };
}
