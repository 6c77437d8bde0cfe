import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createScheduleRepository } from './schedule-repository.ts';
import type { Makers, Ownership } from '../../platform/work/stored-work.ts';
import { toActorRef, type Actor, type ActorRef } from '../../domain/actor.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import type { Right } from '../../domain/rights.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { Schedule, ScheduleAction, ScheduleChange, ScheduledKind, ScheduleInput } from './schedule.ts';
import { requireTarget } from '../workspaces/require-seen.ts';
import { authorizeChange } from '../workspaces/stored-work.ts';
import { isTemporalOutage } from '../../platform/lib/temporal-outage.ts';
import type { ScheduleDependencies } from './schedule-dependencies.ts';

/** Each schedule is checked once a minute by the sweeper. */
const mostSchedules = 1000;

/**
 * Stores a schedule and gives Temporal a copy, which the sweeper makes when Temporal is unreachable.
 * @throws HoldfastError `INVALID_INPUT`, `CONFLICT` when the workspace has 1,000, `FORBIDDEN` for a replay
 * or a routine without its scope
 */
export async function createSchedule(
  { database, ...dependencies }: ScheduleDependencies,
  actor: Actor,
  input: ScheduleInput,
): Promise<Schedule> {
  authorizeAction(actor, input.action);
  await requireTarget(database, actor, input.action);
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const schedules = createScheduleRepository(trx);
    if ((await schedules.countSchedules()) >= mostSchedules)
      throw new HoldfastError('CONFLICT', `A workspace has at most ${mostSchedules} schedules.`);
    await checkTarget(trx, input.action);
    const by = toActorRef(actor, undefined);
    const makers = { createdBy: by, changedBy: null };
    const person = findPerson({ ...makers, action: input.action });
    const schedule = await schedules.createSchedule(input, { ...makers, person });
    await record(trx, 'schedule.created', { schedule, by });
    await copy(dependencies, { trx, actor, schedule });
    return schedule;
  });
}

/**
 * Changes, pauses or resumes a schedule, which needs the right to what it starts. One that was stopped starts again.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `FORBIDDEN`
 */
export async function changeSchedule(
  { database, ...dependencies }: ScheduleDependencies,
  actor: Actor,
  { id, change }: { id: string; change: ScheduleChange },
): Promise<Schedule> {
  if (change.action) authorizeAction(actor, change.action);
  return database.inWorkspace(toRowScope(actor), async (trx) => {
    if (change.action) await checkTarget(trx, change.action);
    const schedules = createScheduleRepository(trx);
    const makers = await authorizeUse(trx, actor, { schedule: await schedules.getForUpdate(id), change });
    const schedule = await schedules.changeSchedule(id, change, makers);
    await record(trx, 'schedule.updated', { schedule, by: toActorRef(actor, undefined) });
    await copy(dependencies, { trx, actor, schedule });
    return schedule;
  });
}

/** Deletes a schedule. Runs that have begun continue. @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` */
export async function deleteSchedule(
  { database, schedules, logger }: ScheduleDependencies,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.inWorkspace(toRowScope(actor), async (trx) => {
    const repository = createScheduleRepository(trx);
    const schedule = await repository.getForUpdate(id);
    await authorizeUse(trx, actor, { schedule });
    await repository.deleteSchedule(id);
    await record(trx, 'schedule.deleted', { schedule, by: toActorRef(actor, undefined) });
  });
  await schedules.deleteSchedule(id).catch((error: unknown) => logCopyError(logger, id, error));
}

interface Copying {
  trx: Knex;
  actor: Pick<Actor, 'workspaceId'>;
  schedule: Schedule;
}

/** Copies inside the transaction: its lock on the row keeps an older revision from coming last. */
async function copy(
  { schedules, logger }: Omit<ScheduleDependencies, 'database'>,
  { trx, actor, schedule }: Copying,
): Promise<void> {
  try {
    await schedules.saveSchedule(actor.workspaceId, schedule);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    logCopyError(logger, schedule.id, error);
    return;
  }
  await createScheduleRepository(trx).markCopied(schedule.id);
}

function logCopyError(logger: ScheduleDependencies['logger'], scheduleId: string, error: unknown): void {
  logger[isTemporalOutage(error) ? 'debug' : 'warn'](
    { err: error, scheduleId },
    'the schedule is stored, but Temporal was not told; the sweeper does that',
  );
}

/** The right that a schedule of each kind needs, besides that to schedules. */
export const actionRights = {
  turn: 'turns.start',
  replay: 'replays.run',
  routine: 'routines.run',
} as const satisfies Record<ScheduledKind, Right>;

function authorizeAction(actor: Actor, { kind }: ScheduleAction): void {
  authorize(actor, actionRights[kind], `a schedule of ${kind}s`);
}

/**
 * Refuses to change or run a schedule without the right to what it starts, or as another person. Returns its makers
 * after that.
 * @throws HoldfastError `FORBIDDEN`
 */
export async function authorizeUse(
  trx: Knex,
  actor: Actor,
  { schedule, change = {} }: { schedule: Schedule; change?: ScheduleChange },
): Promise<Ownership> {
  const right = actionRights[schedule.action.kind];
  const newRight = change.action && actionRights[change.action.kind];
  const person = findPerson(schedule);
  const makers = await authorizeChange(trx, actor, {
    work: schedule,
    change: { kind: 'schedule', right, newRight, person },
  });
  return { ...makers, person: findPerson({ ...makers, action: change.action ?? schedule.action }) };
}

/** The person for whom the runs of a schedule act. */
function findPerson({ action, createdBy, changedBy }: Makers & Pick<Schedule, 'action'>): string | null {
  const named = action.kind === 'turn' ? action.actingFor : undefined;
  return createdBy.actingFor ?? changedBy?.actingFor ?? named ?? null;
}

/** @throws HoldfastError `INVALID_INPUT` when the agent, the conversation or the routine of the runs is not there */
async function checkTarget(trx: Knex, action: ScheduleAction): Promise<void> {
  const target = findTarget(action);
  if (!target) return;
  const { table, field, id = '' } = target;
  const found = await trx(table)
    .where({ id: id === '' ? null : id, deleted_at: null })
    .first<object | undefined>('id');
  if (found) return;
  throw createInvalidInput([{ field: `action.${field}`, message: `there is none with the id ${id}` }]);
}

/** The row that the runs of a schedule need; null for replays, which choose their turns when they begin. */
function findTarget(action: ScheduleAction) {
  if (action.kind === 'replay') return null;
  if (action.kind === 'routine') return { table: 'routines', field: 'routineId', id: action.routineId };
  return action.conversationId === undefined
    ? { table: 'agents', field: 'agentId', id: action.agentId }
    : { table: 'conversations', field: 'conversationId', id: action.conversationId };
}

async function record(
  trx: Knex,
  type: 'schedule.created' | 'schedule.updated' | 'schedule.deleted',
  { schedule: { id, name, action, paused }, by }: { schedule: Schedule; by: ActorRef },
): Promise<void> {
  const payload = { name, kind: action.kind, paused };
  await createAuditLog(trx).record({ type, subjectId: id, payload, by });
}

/** Copies a schedule to Temporal, which has lost it or never got it. */
export async function copySchedule(
  { database, schedules }: Pick<ScheduleDependencies, 'database' | 'schedules'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  id: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const repository = createScheduleRepository(trx);
    const schedule = await repository.lockSchedule(id);
    if (!schedule) return;
    await schedules.saveSchedule(workspaceId, schedule);
    await repository.markCopied(id);
  });
}
