import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { WaitingTurn } from '../../src/db/actions/list-waiting-turns.ts';
import type { StalledQueue, SuspectTurn } from '../../src/db/turns/turn-sweep-repository.ts';
import { toLostEnding, toUnbegunEnding } from '../../src/domain/lost-turn.ts';
import { startWaitingTurns } from '../../src/turns/start-waiting-turns.ts';
import { createSettleTurn } from './settle-turn.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepCredits } from '../credit/sweep-credits.ts';
import { sweepDocuments } from '../document/sweep-documents.ts';
import { sweepReplays } from '../replay/sweep-replays.ts';
import { sweepSchedules } from '../schedule/sweep-schedules.ts';
import { sweepRoutines } from '../routine/sweep-routines.ts';
import { sweepSwarms } from '../swarm/sweep-swarms.ts';
import { sweepTriggers } from '../trigger/sweep-triggers.ts';
import { sweepDeliveries } from '../webhook/sweep-deliveries.ts';
import { toActivityFailure } from '../failures.ts';
import { sendHeartbeats } from '../step-run.ts';

/** The age from which a turn's start is checked, in milliseconds: longer than a start takes. */
const startGraceMs = 5_000;
/** The age from which a decision is told to its turn again, in milliseconds. */
const decisionGraceMs = 15_000;
const turnsPerSweep = 500;
const groupSize = 20;
/** How often a turn is started again after Temporal has lost its workflow. */
const maximumRestarts = 2;

/** The number of turns that one sweep has started and settled. */
export interface SweepResult {
  started: number;
  settled: number;
  /** Set when the sweep ended with an error. */
  failed?: true;
}

/**
 * Repairs turns whose processes failed: starts those whose workflow was never started or was lost, settles those whose
 * workflow ended without storing an outcome, and lets stalled queues go on.
 */
export function createSweepTurns(dependencies: ActivityDependencies) {
  const { sweep, logger } = dependencies;
  return async (): Promise<SweepResult> => {
    const stopHeartbeats = sendHeartbeats(Context.current());
    try {
      const suspects = await sweep.listSuspects({ graceMs: startGraceMs, limit: turnsPerSweep });
      await sweep.markSwept(suspects.map(({ id }) => id));
      const results = await inGroups(suspects, (suspect) => sweepTurn(dependencies, suspect), logger);
      const waiting = await sweep.listWaiting({ graceMs: decisionGraceMs, limit: turnsPerSweep });
      await sweep.markSwept(waiting.map(({ id }) => id));
      await inGroups(waiting, (turn) => sweepWaiting(dependencies, turn), logger);
      const queues = await sweep.listStalledQueues(turnsPerSweep);
      await inGroups(queues, (queue) => sweepQueue(dependencies, queue), logger);
      const places = await sweep.listFreePlaces(turnsPerSweep);
      await inGroups(places, (place) => startWaitingTurns(dependencies.turnDependencies, place), logger);
      await sweepDocuments(dependencies);
      await sweepDeliveries(dependencies);
      await sweepReplays(dependencies);
      await sweepSchedules(dependencies);
      await sweepRoutines(dependencies);
      await sweepCredits(dependencies);
      await sweepSwarms(dependencies);
      await sweepTriggers(dependencies);
      await sweep.deleteOldChunks();
      const count = (what: string) => results.filter((result) => result === what).length;
      return { started: count('started'), settled: count('settled') };
    } catch (error) {
      logger.error({ err: error }, 'the sweep failed');
      throw toActivityFailure(error);
    } finally {
      stopHeartbeats();
    }
  };
}

/** Runs a group of items at a time. A failure is logged and left to the next sweep; the other items go on. */
async function inGroups<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>, logger: Logger) {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += groupSize) {
    for (const one of await Promise.allSettled(items.slice(start, start + groupSize).map(run))) {
      if (one.status === 'fulfilled') results.push(one.value);
      else logger.error({ err: one.reason as unknown }, 'a turn or queue could not be swept');
    }
  }
  return results;
}

async function sweepTurn(dependencies: ActivityDependencies, turn: SuspectTurn) {
  const { engine, sweep } = dependencies;
  const workflow = await engine.findTurnWorkflow(turn.id);
  if (workflow === 'running') {
    if (!turn.overdue) await sweep.markStartSeen(turn.id);
    return 'left';
  }
  const isUnbegun = workflow === 'unbegun' || (workflow === 'missing' && turn.restarts < maximumRestarts);
  if (isUnbegun && !turn.waitedTooLong) return restart(dependencies, turn, workflow === 'missing');
  const ending = isUnbegun
    ? toUnbegunEnding(turn.startTimeoutMs)
    : toLostEnding(turn.overdue || workflow === 'timed_out' ? 'timed_out' : 'closed');
  const place = { workspaceId: turn.workspaceId, turnId: turn.id };
  await createSettleTurn(dependencies)({ ...place, iterations: 0, ...ending });
  return 'settled';
}

/** Tells a turn of a decision that it has not taken up, and gives one a workflow that has lost its own. */
async function sweepWaiting(dependencies: ActivityDependencies, turn: WaitingTurn): Promise<void> {
  const { engine, pipelined } = dependencies;
  const { id: turnId, workspaceId, decidedId } = turn;
  const workflow = await engine.findTurnWorkflow(turnId);
  if (workflow === 'running') {
    if (turn.isCancelled) await engine.cancelTurn(turnId);
    else if (decidedId !== null) await engine.tellDecision(turnId, decidedId);
  } else if (workflow === 'missing' && turn.restarts < maximumRestarts) {
    // Its steps find what is stored, and the turn waits again.
    await pipelined(workspaceId, ({ waiting }) => waiting.goOn(turnId, turn.timeLeftMs));
    await restart(dependencies, turn, true);
  } else {
    await createSettleTurn(dependencies)({ workspaceId, turnId, iterations: 0, ...toLostEnding('closed') });
  }
}

async function restart(
  { pipelined, sweep, engine, logger }: ActivityDependencies,
  turn: Pick<SuspectTurn, 'id' | 'workspaceId'>,
  wasLost: boolean,
) {
  const start = await pipelined(turn.workspaceId, ({ turns }) => turns.getStart(turn.id));
  await engine.restartTurn(start);
  // Only now: a start that failed is no restart.
  await sweep.markRestarted({ id: turn.id, wasLost });
  logger.warn(
    { turnId: turn.id, conversationId: start.conversationId },
    'started a turn that had no workflow',
  );
  return 'started';
}

async function sweepQueue(
  { pipelined, engine }: ActivityDependencies,
  { workspaceId, conversationId }: StalledQueue,
): Promise<void> {
  const next = await pipelined(workspaceId, ({ answers }) => answers.promoteNextTurn(conversationId));
  if (next) await engine.startTurn(next);
}
