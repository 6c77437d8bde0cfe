import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { toQuery } from '../../platform/database/statement.ts';
import { markStopped, type Makers } from '../../platform/work/stored-work.ts';
import type { Actor, ActorRef } from '../../domain/actor.ts';
import { authorize, mayDo } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { actsForOther } from '../../domain/person.ts';
import type { Right } from '../../domain/rights.ts';
import type { StoredWorkFields } from '../../domain/stored-work.ts';
import { findActor, loadActor } from './stored-actor.ts';

/** A schedule or a trigger. */
interface StoredWork extends StoredWorkFields {
  id: string;
  name: string;
}

interface WorkChange {
  kind: 'schedule' | 'trigger';
  /** The right to what the work does. */
  right: Right;
  /** The right to what it does after the change, when the change says that, and with it anew for whom the work acts. */
  newRight?: Right | undefined;
  /** The person for whom the work acts; null for none, and for people whom deliveries name. */
  person: string | null;
}

/**
 * Refuses to change stored work without the right to what it does, and with a key for one person work that does not act for
 * that person. Returns the makers that the work has after the change. Work that was stopped because its maker lost the
 * right gets the actor as its maker, and acts for the same person as before.
 * @throws HoldfastError `FORBIDDEN`
 */
export async function authorizeChange(
  trx: Knex,
  actor: Actor,
  { work, change }: { work: StoredWork; change: WorkChange },
): Promise<Makers> {
  const { kind, right, newRight } = change;
  const rights = newRight === undefined ? [right] : [right, newRight];
  for (const one of rights) authorize(actor, one, `a ${kind} that does this`);
  checkPerson(actor, change);
  const { createdBy } = work;
  const kept = newRight === undefined ? (work.changedBy?.actingFor ?? null) : null;
  const { apiKeyId, actsFor } = actor;
  const changedBy = { apiKeyId, actingFor: actsFor ?? kept };
  if (work.stoppedAt === null || (await mayStillAct(trx, actor, { createdBy, rights })))
    return { createdBy, changedBy };
  return { createdBy: { apiKeyId, actingFor: createdBy.actingFor ?? actsFor }, changedBy };
}

/**
 * Refuses a key for one person to change work that does not act for that person.
 * @param work its kind in words, and the person for whom it acts
 * @throws HoldfastError `FORBIDDEN`
 */
export function checkPerson(
  { actsFor }: Pick<Actor, 'actsFor'>,
  { kind, person }: { kind: string; person: string | null },
): void {
  if (!actsForOther(actsFor, person)) return;
  const message = `The API key acts for ${actsFor} only, and the ${kind} does not. Use a key without "actsFor".`;
  throw new HoldfastError('FORBIDDEN', message);
}

/** Returns true while the maker of stored work has the rights that it needs. */
export async function mayStillAct(
  trx: Knex,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { createdBy, rights }: { createdBy: ActorRef; rights: readonly Right[] },
): Promise<boolean> {
  const maker = await loadActor(toQuery(trx), { workspaceId, ref: createdBy });
  return maker !== null && rights.every((right) => mayDo(maker, right));
}

interface Acting {
  workspaceId: string;
  kind: WorkChange['kind'];
  work: StoredWork;
  right: Right;
  /** Another actor who has to have the right, such as one who started a delivery again. @default none */
  starter?: ActorRef | null;
}

/**
 * Asks before a schedule or trigger starts something whether its makers still may do so. When they may not, it is stopped,
 * which is audited once. Returns the actor to act as, or the error `RIGHTS_LOST`.
 */
export async function askToAct(
  trx: Knex,
  { workspaceId, kind, work, right, starter = null }: Acting,
): Promise<Actor | HoldfastError> {
  if (work.stoppedAt !== null)
    return new HoldfastError('RIGHTS_LOST', work.stoppedReason ?? 'It was stopped.');
  const makers = [work.createdBy, work.changedBy];
  const ask = (all: (ActorRef | null)[]) =>
    findActor(toQuery(trx), { workspaceId, makers: all, rights: [right], work: `the ${kind} ${work.name}` });
  const actor = await ask(makers);
  if (actor instanceof HoldfastError) await stop(trx, { kind, work, reason: actor.message });
  else if (starter) return ask([...makers, starter]);
  return actor;
}

async function stop(
  trx: Knex,
  { kind, work, reason }: Pick<Acting, 'kind' | 'work'> & { reason: string },
): Promise<void> {
  const { id, name } = work;
  if (!(await markStopped(trx, `${kind}s`, { ...work, reason }))) return;
  const payload = { kind, name, reason };
  await createAuditLog(trx).record({ type: 'work.stopped', subjectId: id, payload });
}
