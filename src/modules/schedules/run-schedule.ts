import type { Knex } from 'knex';
import { createScheduleRepository, scheduleNotFound } from './schedule-repository.ts';
import { createScheduleRunRepository, type RunEnd } from './schedule-run-repository.ts';
import { prepareTurn } from '../turns/prepare-turn.ts';
import type { TurnSubmission } from '../turns/submit-turn.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ReplayInput } from '../../domain/replay.ts';
import { toActorRef, type Actor, type ActorRef } from '../../domain/actor.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Schedule, ScheduledKind, ScheduleRun } from './schedule.ts';
import { toScheduledIds } from '../../platform/lib/ids.ts';
import { requireTarget } from '../workspaces/require-seen.ts';
import { askToAct } from '../workspaces/stored-work.ts';
import type { BegunRun, ScheduledRunRef, ScheduledRunResult, ScheduleRef } from './schedule-contract.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { actionRights } from './change-schedule.ts';
import type { ScheduleDependencies } from './schedule-dependencies.ts';

/** A turn that a schedule submits. */
export interface ScheduledTurn extends TurnSubmission {
  workspaceId: string;
  startedBy: ActorRef;
}

/** A replay that a schedule starts. */
export interface ScheduledReplay {
  workspaceId: string;
  startedBy: ActorRef;
  /** The last one who changed the schedule. */
  changedBy: ActorRef | null;
  replayId: string;
  input: ReplayInput;
}

/** A run of a routine that a schedule starts. */
export interface ScheduledRoutine {
  workspaceId: string;
  startedBy: ActorRef;
  routineId: string;
  input: JsonValue;
  /** The same for every attempt to start it. */
  idempotencyKey: string;
}

/** How the work of a run has ended. */
export type WorkEnd = Pick<RunEnd, 'outcome' | 'error'>;

/** A turn, a replay or a run of a routine. */
export interface StartedWork {
  workspaceId: string;
  kind: ScheduledKind;
  id: string;
}

/** Starts the work of a schedule's run; the rooms of turns, replays and routines do it. */
export interface ScheduledWork {
  /** Stores a turn, or finds it stored. Returns the input of its workflow; null while it is queued, and when it has ended. */
  storeTurn: (turn: ScheduledTurn) => Promise<AgentTurnInput | null>;
  /** Starts a replay, unless it was started. */
  startReplay: (replay: ScheduledReplay) => Promise<void>;
  /** Starts a run of a routine, unless it was started, and answers its id. */
  startRoutine: (routine: ScheduledRoutine) => Promise<string>;
  /** Cancels what was started; does nothing when it has ended. */
  cancel: (started: StartedWork) => Promise<void>;
  /** Null while it runs. */
  findEnd: (started: StartedWork) => Promise<WorkEnd | null>;
}

/** Everything that the runs of schedules need from outside. */
export interface ScheduledRunDependencies extends Pick<ScheduleDependencies, 'database' | 'schedules'> {
  work: ScheduledWork;
  /** Returns whether a schedule is one of another workspace. */
  belongsToOther: (ref: ScheduleRef) => Promise<boolean>;
}

/**
 * Starts the work of a schedule for one time; repeated calls start it once. Null when there is nothing to wait for: the
 * schedule was deleted, or the start was refused, which its run shows. A schedule whose makers lost the right to what it
 * starts is stopped.
 * @throws HoldfastError `NOT_FOUND` for a schedule of another workspace
 */
export async function beginScheduledRun(
  dependencies: ScheduledRunDependencies,
  ref: ScheduledRunRef,
): Promise<BegunRun | null> {
  const { database, schedules } = dependencies;
  const { workspaceId, scheduleId } = ref;
  const found = await database.inWorkspace(workspaceId, async (trx) => {
    const schedule = await createScheduleRepository(trx).findSchedule(scheduleId);
    return schedule && { schedule, ...(await beginRun(trx, { schedule, ref })) };
  });
  if (!found) {
    // Clients of Temporal start workflows with any ids.
    if (await dependencies.belongsToOther(ref)) throw scheduleNotFound(scheduleId);
    // A deleted workspace takes its rows with it; Temporal may still have the copy.
    await schedules.deleteSchedule(scheduleId);
    return null;
  }
  const { schedule, run, actor } = found;
  if (!actor) return null;
  const started = await start(dependencies, { schedule, actor, ref });
  await database.inWorkspace(workspaceId, (trx) => {
    const repository = createScheduleRunRepository(trx);
    if ('refusal' in started)
      return repository.endRun(run.id, { status: 'failed', outcome: null, error: started.refusal });
    return repository.noteStarted(run.id, started.ids);
  });
  return 'refusal' in started ? null : { start: started.start };
}

/** Begins a run. `actor` is null when the run has ended: it ran before, or its makers lost the right to what it starts. */
async function beginRun(
  trx: Knex,
  { schedule, ref }: Pick<Starting, 'schedule' | 'ref'>,
): Promise<{ run: ScheduleRun; actor: Actor | null }> {
  const runs = createScheduleRunRepository(trx);
  const run = await runs.beginRun(ref);
  if (run.status !== 'running') return { run, actor: null };
  const right = actionRights[schedule.action.kind];
  const { workspaceId } = ref;
  const actor = await askToAct(trx, { workspaceId, kind: 'schedule', work: schedule, right });
  if (!(actor instanceof HoldfastError)) return { run, actor };
  await runs.endRun(run.id, { status: 'failed', outcome: null, error: actor.toInfo() });
  return { run, actor: null };
}

interface Starting {
  schedule: Schedule;
  /** As whom the run acts. */
  actor: Actor;
  ref: ScheduledRunRef;
}

async function start(dependencies: ScheduledRunDependencies, starting: Starting) {
  const { schedule, actor, ref } = starting;
  const { action } = schedule;
  const startedBy = toActorRef(actor, undefined);
  const { workspaceId } = ref;
  const ids = toScheduledIds(schedule.id, ref.scheduledAt);
  try {
    if (action.kind === 'replay') {
      const { replayId } = ids;
      const replay = { workspaceId, startedBy, changedBy: schedule.changedBy, replayId };
      await dependencies.work.startReplay({ ...replay, input: action.replay });
      return { start: null, ids: { replayId } };
    }
    if (action.kind === 'routine') {
      const { routineId, input = {} } = action;
      const idempotencyKey = `schedule ${schedule.id} ${ref.scheduledAt}`;
      const routineRunId = await dependencies.work.startRoutine({
        ...{ workspaceId, startedBy, routineId, input, idempotencyKey },
      });
      return { start: null, ids: { routineRunId } };
    }
    await requireTarget(dependencies.database, actor, action);
    const { agentId, conversationId = ids.conversationId, message, actingFor } = action;
    const turn = {
      ...{ turnId: ids.turnId, conversationId, message, actingFor, participants: [schedule.changedBy] },
      begins: agentId === undefined ? undefined : { agentId, title: schedule.name },
    };
    const submission = await dependencies.database.inWorkspace(workspaceId, (trx) => prepareTurn(trx, turn));
    const stored = await dependencies.work.storeTurn({ workspaceId, startedBy, ...submission });
    return { start: stored, ids: { turnId: ids.turnId, conversationId } };
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.retryable) throw error;
    return { refusal: error.toInfo() };
  }
}

/** Stores and returns how a run has ended; null while it runs. */
export async function endScheduledRun(
  { database, work }: ScheduledRunDependencies,
  ref: ScheduledRunRef,
): Promise<ScheduledRunResult> {
  const { workspaceId } = ref;
  const run = await database.inWorkspace(workspaceId, (trx) => createScheduleRunRepository(trx).findRun(ref));
  // The schedule was deleted with its runs; the started work continues.
  if (!run) return { status: 'completed', outcome: null, turnId: null, replayId: null, routineRunId: null };
  const { turnId, replayId, routineRunId } = run;
  const ids = { turnId, replayId, routineRunId };
  if (run.status !== 'running') return { status: run.status, outcome: run.outcome, ...ids };
  const started = findStarted(workspaceId, run);
  const end = started ? await work.findEnd(started) : { outcome: null, error: null };
  if (!end) return null;
  const status = end.outcome === 'completed' ? 'completed' : 'failed';
  await database.inWorkspace(workspaceId, (trx) =>
    createScheduleRunRepository(trx).endRun(run.id, { ...end, status }),
  );
  return { status, outcome: end.outcome, ...ids };
}

/** The work that a run has started; null when it has started nothing. */
function findStarted(
  workspaceId: string,
  { turnId, replayId, routineRunId }: ScheduleRun,
): StartedWork | null {
  if (turnId !== null) return { workspaceId, kind: 'turn', id: turnId };
  if (replayId !== null) return { workspaceId, kind: 'replay', id: replayId };
  return routineRunId === null ? null : { workspaceId, kind: 'routine', id: routineRunId };
}

/** Cancels what a run has started. */
export async function stopScheduledRun(
  dependencies: ScheduledRunDependencies,
  ref: ScheduledRunRef,
): Promise<void> {
  const { database, work } = dependencies;
  const { workspaceId } = ref;
  const run = await database.inWorkspace(workspaceId, (trx) => createScheduleRunRepository(trx).findRun(ref));
  if (run?.status !== 'running') return;
  const started = findStarted(workspaceId, run);
  if (started) await work.cancel(started);
  const message = 'A later run of the schedule, or a person, stopped it.';
  const error = { code: 'TURN_CANCELLED' as const, message };
  await database.inWorkspace(workspaceId, (trx) =>
    createScheduleRunRepository(trx).endRun(run.id, { status: 'failed', outcome: 'cancelled', error }),
  );
}
