import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createTriggerRepository } from './trigger-repository.ts';
import type { Makers, Ownership } from '../../platform/work/stored-work.ts';
import type { StoredTrigger } from './trigger-rows.ts';
import { toActorRef, type Actor, type ActorRef } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import type { Right } from '../../domain/rights.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { Trigger, TriggerAction, TriggerChange, TriggerInput } from './trigger.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { requireTarget } from '../workspaces/require-seen.ts';
import { authorizeChange } from '../workspaces/stored-work.ts';
import { checkExpressions } from './expressions.ts';
import { findSender } from './find-sender.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';
import { chooseSecret, sealTriggerSecrets } from './trigger-secrets.ts';

const mostTriggers = 200;

/** The path beneath which vendors reach triggers. */
export const hookPath = '/hooks';

/** Adds the URL to register with the vendor. */
export function withUrl(
  { publicUrl }: Pick<TriggerDependencies, 'publicUrl'>,
  trigger: StoredTrigger,
): Trigger {
  return { ...trigger, url: `${publicUrl()}${hookPath}/${trigger.id}` };
}

/**
 * Stores a trigger. `secret` is one that was made for it, which is not shown again; null when the request has it, or the
 * vendor makes it.
 * @throws HoldfastError `INVALID_INPUT`, `CONFLICT` when the workspace has 200, `FORBIDDEN` for a routine without its
 * scope, `SECRETS_UNAVAILABLE`
 */
export async function createTrigger(
  dependencies: Pick<TriggerDependencies, 'database' | 'keyRing' | 'publicUrl'>,
  actor: Actor,
  { secret: given, ...input }: TriggerInput,
): Promise<{ trigger: Trigger; secret: string | null }> {
  const { database, keyRing } = dependencies;
  const { workspaceId } = actor;
  authorizeAction(actor, input.action);
  await requireTarget(database, actor, input.action);
  const chosen = chooseSecret(findSender(input), given);
  await checkExpressions(workspaceId, input);
  const id = newId();
  const secrets =
    chosen && sealTriggerSecrets(keyRing, { id, workspaceId }, { secret: chosen.secret, old: [] });
  const trigger = await database.inWorkspace(workspaceId, async (trx) => {
    const triggers = createTriggerRepository(trx);
    if ((await triggers.countTriggers()) >= mostTriggers)
      throw new HoldfastError('CONFLICT', `A workspace has at most ${mostTriggers} triggers.`);
    await checkTarget(trx, input.action);
    const createdBy = toActorRef(actor, undefined);
    const created = await triggers.createTrigger({ id, input, secrets, createdBy });
    await record(trx, 'trigger.created', { trigger: created, by: createdBy });
    return created;
  });
  return { trigger: withUrl(dependencies, trigger), secret: chosen?.isNew ? chosen.secret : null };
}

/**
 * Changes, pauses or resumes a trigger, which needs the right to what it starts. One that was stopped starts again. Deliveries
 * that were accepted before keep the action that it had.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `FORBIDDEN`
 */
export async function changeTrigger(
  dependencies: Pick<TriggerDependencies, 'database' | 'publicUrl'>,
  actor: Actor,
  { id, change }: { id: string; change: TriggerChange },
): Promise<Trigger> {
  const { workspaceId } = actor;
  if (change.action) authorizeAction(actor, change.action);
  await checkExpressions(workspaceId, change);
  const trigger = await dependencies.database.inWorkspace(toRowScope(actor), async (trx) => {
    if (change.action) await checkTarget(trx, change.action);
    const triggers = createTriggerRepository(trx);
    const { trigger: present } = await triggers.getForUpdate(id);
    const makers = await authorizeUse(trx, actor, { trigger: present, change });
    const changed = await triggers.changeTrigger(id, change, makers);
    await record(trx, 'trigger.updated', { trigger: changed, by: toActorRef(actor, undefined) });
    return changed;
  });
  return withUrl(dependencies, trigger);
}

/**
 * Deletes a trigger with its secrets and deliveries. Work that has begun continues.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN`
 */
export async function deleteTrigger(
  { database }: Pick<TriggerDependencies, 'database'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.inWorkspace(toRowScope(actor), async (trx) => {
    const triggers = createTriggerRepository(trx);
    await authorizeUse(trx, actor, await triggers.getForUpdate(id));
    const trigger = await triggers.deleteTrigger(id);
    await record(trx, 'trigger.deleted', { trigger, by: toActorRef(actor, undefined) });
  });
}

function authorizeAction(actor: Actor, { kind }: TriggerAction): void {
  authorize(actor, actionRights[kind], `a trigger of a ${kind}`);
}

/** The right that a trigger of each kind needs, besides that to triggers. */
export const actionRights = {
  turn: 'turns.start',
  routine: 'routines.run',
} as const satisfies Record<TriggerAction['kind'], Right>;

/**
 * Refuses to change a trigger, its secret or its deliveries without the right to what it starts, or as another person.
 * Returns its makers after that.
 * @throws HoldfastError `FORBIDDEN`
 */
export async function authorizeUse(
  trx: Knex,
  actor: Actor,
  { trigger, change = {} }: { trigger: StoredTrigger; change?: TriggerChange },
): Promise<Ownership> {
  const right = actionRights[trigger.action.kind];
  const newRight = change.action && actionRights[change.action.kind];
  const person = findPerson(trigger);
  const makers = await authorizeChange(trx, actor, {
    work: trigger,
    change: { kind: 'trigger', right, newRight, person },
  });
  return { ...makers, person: findPerson(makers) };
}

/** The person for whom a trigger acts; the people whom a template names are anybody. */
function findPerson({ createdBy, changedBy }: Makers): string | null {
  return createdBy.actingFor ?? changedBy?.actingFor ?? null;
}

/** @throws HoldfastError `INVALID_INPUT` when the agent, the conversation or the routine is not there */
async function checkTarget(trx: Knex, action: TriggerAction): Promise<void> {
  const { table, field, id } = findTarget(action);
  const found = await trx(table).where({ id, deleted_at: null }).first<object | undefined>('id');
  if (found) return;
  throw createInvalidInput([{ field: `action.${field}`, message: `there is none with the id ${id}` }]);
}

function findTarget(action: TriggerAction) {
  if (action.kind === 'routine') return { table: 'routines', field: 'routineId', id: action.routineId };
  return action.agentId === undefined
    ? { table: 'conversations', field: 'conversationId', id: action.conversationId ?? null }
    : { table: 'agents', field: 'agentId', id: action.agentId };
}

async function record(
  trx: Knex,
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted',
  { trigger, by }: { trigger: StoredTrigger; by: ActorRef },
): Promise<void> {
  const { id, name, provider, action, paused } = trigger;
  const payload = { name, provider, kind: action.kind, paused };
  await createAuditLog(trx).record({ type, subjectId: id, payload, by });
}
