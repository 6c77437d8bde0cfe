import { toRowScope } from '../../domain/row-scope.ts';
import { createScheduleRepository } from './schedule-repository.ts';
import type { Actor, Viewer } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { mostBackfilledRuns, type Backfill, type Schedule, type ScheduleDetails } from './schedule.ts';
import { authorizeUse } from './change-schedule.ts';
import type { ScheduleDependencies } from './schedule-dependencies.ts';

/** Reads a schedule with the times of its next runs. @throws HoldfastError `NOT_FOUND` */
export async function readSchedule(
  dependencies: ScheduleDependencies,
  viewer: Viewer,
  id: string,
): Promise<ScheduleDetails> {
  const schedule = await getSchedule(dependencies, viewer, id);
  const nextRuns = await dependencies.schedules.listNextRuns(id).catch(() => null);
  return { ...schedule, nextRuns };
}

/**
 * Starts a run of a schedule now, under its overlap policy; also of one that is paused.
 * @throws HoldfastError `NOT_FOUND`, `SERVICE_UNAVAILABLE`, `FORBIDDEN` without the right to what it starts
 */
export function runScheduleNow(
  dependencies: ScheduleDependencies,
  actor: Actor,
  id: string,
): Promise<Schedule> {
  return callTemporal(dependencies, { actor, id }, (schedules, schedule) => schedules.runSchedule(schedule));
}

/**
 * Starts the runs of a time span that is over, at most `mostBackfilledRuns`. A time that has run does not run again.
 * @throws HoldfastError `NOT_FOUND`, `SERVICE_UNAVAILABLE`, `FORBIDDEN` without the right to what it starts; `INVALID_INPUT`
 * for a span with too many runs
 */
export function backfillSchedule(
  dependencies: ScheduleDependencies,
  actor: Actor,
  { id, ...backfill }: Backfill & { id: string },
): Promise<Schedule> {
  return callTemporal(dependencies, { actor, id }, async (schedules, { times }) => {
    const count = await schedules.countTimes(id, { ...backfill, most: mostBackfilledRuns });
    if (count === null) return false;
    if (count > mostBackfilledRuns) throw tooManyRuns(times, backfill);
    return schedules.backfillSchedule(id, backfill);
  });
}

function tooManyRuns({ interval }: Schedule['times'], { from, to }: Backfill): HoldfastError {
  const found = interval
    ? Math.floor((Date.parse(to) - Date.parse(from)) / interval.everyMs)
    : `more than ${mostBackfilledRuns}`;
  const message = `expected a span with at most ${mostBackfilledRuns} runs, found ${found}: send shorter spans`;
  return createInvalidInput([{ field: 'to', message }]);
}

function getSchedule({ database }: ScheduleDependencies, viewer: Viewer, id: string): Promise<Schedule> {
  return database.inWorkspace(toRowScope(viewer), (trx) => createScheduleRepository(trx).getSchedule(id));
}

/** Stores the actor that runs a schedule, since its runs check the rights of the last changer. */
function noteUse({ database }: ScheduleDependencies, actor: Actor, id: string): Promise<Schedule> {
  return database.inWorkspace(toRowScope(actor), async (trx) => {
    const repository = createScheduleRepository(trx);
    const schedule = await repository.getForUpdate(id);
    const makers = await authorizeUse(trx, actor, { schedule });
    await repository.noteMakers(id, makers);
    const { createdBy, changedBy } = makers;
    return { ...schedule, createdBy, changedBy, stoppedAt: null, stoppedReason: null };
  });
}

async function callTemporal(
  dependencies: ScheduleDependencies,
  { actor, id }: { actor: Actor; id: string },
  send: (schedules: ScheduleDependencies['schedules'], schedule: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  const { schedules, logger } = dependencies;
  const schedule = await noteUse(dependencies, actor, id);
  try {
    if (await send(schedules, schedule)) return schedule;
    // Temporal has lost it. It is not asked first: it reads the state of a schedule in a query, which waits while it starts runs.
    await schedules.saveSchedule(actor.workspaceId, schedule);
    await send(schedules, schedule);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    logger.warn({ err: error, scheduleId: id }, 'a schedule could not be run');
    throw new HoldfastError('SERVICE_UNAVAILABLE', 'Temporal cannot be reached. Try again shortly.');
  }
  return schedule;
}
