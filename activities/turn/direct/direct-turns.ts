import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AgentTurnInput, BegunTurn } from '../../../src/contract/turn-steps.ts';
import type {
  DirectTurnRepository,
  LostTurn,
} from '../../../src/modules/turns/direct/direct-turn-repository.ts';
import type { Wakeups } from '../../../src/platform/database/wakeups.ts';
import { followLease } from './follow-lease.ts';
import { createHandOver } from './hand-over.ts';
import { createRunningTurns, hasLeft } from './running-turns.ts';

/** How long a worker without a place leaves a turn to the other workers, in milliseconds. */
const fullDelayMs = 200;

/** How long a worker whose places are nearly all taken leaves a turn to the other workers, in milliseconds. */
const busyDelayMs = 20;

interface DirectTurnsOptions {
  repository: DirectTurnRepository;
  wakeups: Pick<Wakeups, 'onOffer'>;
  /** Runs a turn until it is over, or returns the rest that a workflow has to run. */
  run: (input: AgentTurnInput, signal: AbortSignal) => Promise<BegunTurn | undefined>;
  /** Starts the workflow of a turn, unless it is started already. */
  startWorkflow: (input: AgentTurnInput) => Promise<void>;
  /** Reads the input of the workflow of a stored turn. */
  getStart: (turn: { id: string; workspaceId: string }) => Promise<AgentTurnInput>;
  logger: Pick<Logger, 'warn' | 'debug'>;
  /** How many turns the worker runs without a workflow at the same time, at most half of them of one workspace. */
  places: number;
  /** How long a stopping worker lets steps finish, in milliseconds. */
  graceMs: number;
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

/** Takes turns that are offered, looks after the turns of lost workers, and renews the lease of this worker until `close`. */
export async function startDirectTurns(options: DirectTurnsOptions): Promise<DirectTurns> {
  const { repository, wakeups, run, getStart, logger, renewalMs, graceMs } = options;
  const running = createRunningTurns(options.places);
  const { handOver, repeat, listUnstarted } = createHandOver(options);
  let closing: Promise<void> | undefined;
  const hasPlace = ({ workspaceId }: AgentTurnInput) => !closing && running.hasPlace(workspaceId);

  async function claimAndRun(input: AgentTurnInput, signal: AbortSignal, owned: () => void): Promise<void> {
    if (!(await repository.claim(input))) return;
    owned();
    const begun = await run(input, signal);
    if (begun && !hasLeft(signal)) await handOver({ ...input, begun });
  }

  /** The turn is among the running ones before it is claimed, since own turns that do not run count as lost. */
  async function start(input: AgentTurnInput): Promise<void> {
    if (hasPlace(input)) {
      running.add(input, (...turn) => claimAndRun(input, ...turn).catch(noteNotTaken(input)));
    } else if (await repository.claim(input)) await handOver(input);
  }

  async function takeOffer(input: AgentTurnInput): Promise<void> {
    const delayMs = hasPlace(input) ? running.load() * busyDelayMs : fullDelayMs;
    if (delayMs >= 1) await sleep(delayMs);
    await start(input);
  }

  async function recover({ id, workspaceId, timeLeftMs }: LostTurn): Promise<void> {
    const input = await getStart({ id, workspaceId });
    await handOver({ ...input, begun: { rest: { iteration: 1 }, timeLeftMs } });
  }

  const noteNotTaken =
    ({ turnId }: Pick<AgentTurnInput, 'turnId'>) =>
    (error: unknown) =>
      logger.warn({ err: error, turnId }, 'a turn was not taken; it is looked for');

  const endOffers = wakeups.onOffer((turn) => {
    const input = JSON.parse(turn) as AgentTurnInput;
    takeOffer(input).catch(noteNotTaken(input));
  });
  const lease = await followLease({
    ...{ repository, logger, renewalMs, renewed: repeat },
    known: () => ({ running: running.list(), owned: running.listOwned(), taken: listUnstarted() }),
    stop: ({ id, isLost }) => running.stop(id, isLost ? 'TIMED_OUT' : 'CANCELLED'),
    found: (turn) => {
      running.stop(turn.id, 'TIMED_OUT');
      logger.warn({ turnId: turn.id }, 'a turn without a worker gets a workflow');
      recover(turn).catch(noteNotTaken({ turnId: turn.id }));
    },
  });

  async function drain(): Promise<void> {
    endOffers();
    await running.drain(graceMs);
    await lease.close();
  }

  return { start, close: () => (closing ??= drain()) };
}
