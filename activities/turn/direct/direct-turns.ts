import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { AgentTurnInput, BegunTurn } from '../../../src/contract/turn-steps.ts';
import type { DirectTurnRepository } from '../../../src/modules/turns/direct/direct-turn-repository.ts';
import type { Wakeups } from '../../../src/platform/database/wakeups.ts';
import { shutdownGraceMs } from '../../../src/platform/temporal/worker-options.ts';
import { followLease } from './follow-lease.ts';

/** How long a worker without a place leaves a turn to the other workers, in milliseconds. */
const leftMs = 200;

/** How long a worker whose places are all taken but one leaves a turn to the other workers, in milliseconds. */
const busiestDelayMs = 20;

interface DirectTurnsOptions {
  repository: DirectTurnRepository;
  wakeups: Pick<Wakeups, 'onOffer'>;
  /** Runs a turn until it is over, or returns the rest that a workflow has to run. */
  run: (input: AgentTurnInput, signal: AbortSignal) => Promise<BegunTurn | undefined>;
  /** Starts the workflow of a turn, unless it is started already. */
  startWorkflow: (input: AgentTurnInput) => Promise<void>;
  /** Reads the input of the workflow of a stored turn. */
  getStart: (turn: { id: string; workspaceId: string }) => Promise<AgentTurnInput>;
  logger: Pick<Logger, 'warn'>;
  /** How many turns the worker runs without a workflow at the same time, at most half of them of one workspace. */
  places: number;
  /** How long a stopping worker lets steps finish, in milliseconds. @default 8000 */
  graceMs?: number;
  /** How often the worker renews its lease and looks for lost turns, in milliseconds. @default 1000 */
  renewalMs?: number;
}

/** The turns that a worker runs without a workflow. */
export interface DirectTurns {
  /** Runs a turn of this process, or starts its workflow when the worker has no place for it. */
  start: (input: AgentTurnInput) => Promise<void>;
  /** Lets running steps finish for a while, and starts a workflow for the rest of each turn. */
  close: () => Promise<void>;
}

interface DirectRun {
  workspaceId: string;
  stop: AbortController;
  end: Promise<void>;
}

/** Takes turns that are offered, looks after the turns of lost workers, and renews the lease of this worker until `close`. */
export async function startDirectTurns(options: DirectTurnsOptions): Promise<DirectTurns> {
  const { repository, wakeups, run, places, logger, renewalMs, graceMs = shutdownGraceMs } = options;
  const running = new Map<string, DirectRun>();
  /** Turns that are this worker's own and have no workflow yet, with the input of that workflow. */
  const unstarted = new Map<string, AgentTurnInput>();
  let closing: Promise<void> | undefined;

  function hasPlace(workspaceId: string): boolean {
    if (closing !== undefined || running.size >= places) return false;
    const sameWorkspace = [...running.values()].filter((other) => other.workspaceId === workspaceId);
    return sameWorkspace.length < Math.ceil(places / 2);
  }

  /** A start that fails is repeated with the next renewal of the lease. */
  async function startRest(input: AgentTurnInput): Promise<void> {
    const { turnId } = input;
    unstarted.set(turnId, input);
    try {
      await options.startWorkflow(input);
      await repository.release(turnId);
      unstarted.delete(turnId);
    } catch (error) {
      logger.warn({ err: error, turnId }, 'a turn has no workflow yet; the start is repeated');
    }
  }

  async function claimAndRun(input: AgentTurnInput, signal: AbortSignal): Promise<void> {
    if (!(await repository.claim(input))) return;
    const begun = await run(input, signal);
    if (begun) await startRest({ ...input, begun });
  }

  /** The turn counts as running before it is claimed, since a look for lost turns takes own turns that do not run. */
  function take(input: AgentTurnInput): void {
    const { turnId, workspaceId } = input;
    if (running.has(turnId)) return;
    const stop = new AbortController();
    const end = claimAndRun(input, stop.signal)
      .catch((error: unknown) => logger.warn({ err: error, turnId }, 'a turn was not taken'))
      .finally(() => running.delete(turnId));
    running.set(turnId, { workspaceId, stop, end });
  }

  async function startWithoutPlace(input: AgentTurnInput): Promise<void> {
    if (await repository.claim(input)) await startRest(input);
  }

  async function takeOffer(input: AgentTurnInput): Promise<void> {
    const isFree = hasPlace(input.workspaceId);
    const delayMs = isFree ? (running.size / places) * busiestDelayMs : leftMs;
    if (delayMs >= 1) await sleep(delayMs);
    if (hasPlace(input.workspaceId)) take(input);
    else await startWithoutPlace(input);
  }

  const endOffers = wakeups.onOffer((turn) => {
    const input = JSON.parse(turn) as AgentTurnInput;
    takeOffer(input).catch((error: unknown) =>
      logger.warn({ err: error, turnId: input.turnId }, 'an offered turn was not taken'),
    );
  });
  const lease = await followLease({
    ...{ repository, logger, renewalMs },
    known: () => ({ running: [...running.keys()], taken: [...unstarted.keys()] }),
    stop: ({ id, isLost }) =>
      running.get(id)?.stop.abort(new CancelledFailure(isLost ? 'TIMED_OUT' : 'CANCELLED')),
    renewed: () => Promise.all([...unstarted.values()].map(startRest)),
    found: async ({ id, workspaceId, timeLeftMs }) => {
      running.get(id)?.stop.abort(new CancelledFailure('TIMED_OUT'));
      const start = await options.getStart({ id, workspaceId });
      logger.warn({ turnId: id }, 'a turn without a worker gets a workflow');
      await startRest({ ...start, begun: { rest: { iteration: 1 }, timeLeftMs } });
    },
  });

  async function drain(): Promise<void> {
    endOffers();
    const ends = () => Promise.all([...running.values()].map(({ end }) => end));
    const grace = new AbortController();
    await Promise.race([ends(), sleep(graceMs, undefined, { signal: grace.signal })]);
    grace.abort();
    for (const { stop } of running.values()) stop.abort(new CancelledFailure('WORKER_SHUTDOWN'));
    await ends();
    await lease.close();
  }

  return {
    start: async (input) => {
      if (hasPlace(input.workspaceId)) take(input);
      else await startWithoutPlace(input);
    },
    close: () => (closing ??= drain()),
  };
}
