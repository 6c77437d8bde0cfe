import type { Knex } from 'knex';
import { createAuditLog } from '../db/audit/audit-log.ts';
import { createScheduleRepository } from '../db/schedules/schedule-repository.ts';
import { toActor } from '../domain/actor.ts';
import type { Principal, Scope } from '../domain/api-key.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import type {
  Schedule,
  ScheduleAction,
  ScheduleChange,
  ScheduledKind,
  ScheduleInput,
} from '../domain/schedule.ts';
import { isTemporalOutage } from '../lib/temporal-outage.ts';
import type { ScheduleDependencies } from './schedule-dependencies.ts';

/** Each schedule is checked once a minute by the sweeper. */
const mostSchedules = 1000;

/**
 * Stores a schedule and gives Temporal a copy, which the sweeper makes when Temporal is away.
 * @throws HoldfastError `INVALID_INPUT`, `CONFLICT` when the workspace has 1,000, `FORBIDDEN` for a replay
 * or a routine without its scope
 */
export async function createSchedule(
  { database, ...dependencies }: ScheduleDependencies,
  principal: Principal,
  input: ScheduleInput,
): Promise<Schedule> {
  checkScopes(principal, input.action);
  return database.inWorkspace(principal.workspaceId, async (trx) => {
    const schedules = createScheduleRepository(trx);
    if ((await schedules.countSchedules()) >= mostSchedules)
      throw new HoldfastError('CONFLICT', `A workspace has at most ${mostSchedules} schedules.`);
    await checkTarget(trx, input.action);
    const schedule = await schedules.createSchedule(input, toActor(principal, undefined));
    await record(trx, 'schedule.created', schedule);
    await copy(dependencies, { trx, principal, schedule });
    return schedule;
  });
}

/**
 * Changes, pauses or resumes a schedule.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `FORBIDDEN`
 */
export async function changeSchedule(
  { database, ...dependencies }: ScheduleDependencies,
  principal: Principal,
  { id, change }: { id: string; change: ScheduleChange },
): Promise<Schedule> {
  if (change.action) checkScopes(principal, change.action);
  return database.inWorkspace(principal.workspaceId, async (trx) => {
    if (change.action) await checkTarget(trx, change.action);
    const schedule = await createScheduleRepository(trx).changeSchedule(id, change);
    await record(trx, 'schedule.updated', schedule);
    await copy(dependencies, { trx, principal, schedule });
    return schedule;
  });
}

/** Deletes a schedule. Runs that have begun go on. @throws HoldfastError `NOT_FOUND` */
export async function deleteSchedule(
  { database, schedules, logger }: ScheduleDependencies,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  id: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const repository = createScheduleRepository(trx);
    const schedule = await repository.getSchedule(id);
    await repository.deleteSchedule(id);
    await record(trx, 'schedule.deleted', schedule);
  });
  await schedules.deleteSchedule(id).catch((error: unknown) => logCopyError(logger, id, error));
}

interface Copying {
  trx: Knex;
  principal: Pick<Principal, 'workspaceId'>;
  schedule: Schedule;
}

/** Copies inside the transaction: its lock on the row keeps an older revision from coming last. */
async function copy(
  { schedules, logger }: Omit<ScheduleDependencies, 'database'>,
  { trx, principal, schedule }: Copying,
): Promise<void> {
  try {
    await schedules.saveSchedule(principal.workspaceId, schedule);
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

/** The scopes that an API key needs for a schedule, beside that of schedules. */
const neededScopes: Partial<Record<ScheduledKind, Scope[]>> = {
  replay: ['replays:write', 'conversations:read'],
  routine: ['routines:write'],
};

function checkScopes({ scopes }: Pick<Principal, 'scopes'>, { kind }: ScheduleAction): void {
  const missingScopes = (neededScopes[kind] ?? []).filter((scope) => !scopes.includes(scope));
  if (missingScopes.length === 0) return;
  const message = `The API key needs the scope ${missingScopes.join(' and ')} for a schedule of ${kind}s.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes } });
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
  { id, name, action, paused }: Schedule,
): Promise<void> {
  await createAuditLog(trx).record({ type, subjectId: id, payload: { name, kind: action.kind, paused } });
}

/** Gives Temporal a copy of a schedule that it has lost, or was not told of. */
export async function copySchedule(
  { database, schedules }: Pick<ScheduleDependencies, 'database' | 'schedules'>,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
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
