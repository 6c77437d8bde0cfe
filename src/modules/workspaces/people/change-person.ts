import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createPeopleRepository } from './people-repository.ts';
import { toActorRef, type Actor } from '../../../domain/actor.ts';
import { authorize } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toQuery } from '../../../platform/database/statement.ts';
import { findCredential } from '../keys/credential-repository.ts';
import { checkManaged } from '../keys/key-bounds.ts';
import type { Person } from './user-token.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/**
 * Deactivates a person who signs in at an identity provider, or lets the person in again. The requests of a deactivated
 * person are refused, open streams end, and stored work of that person stops.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a person who may do more than the actor
 */
export async function changePerson(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  actor: Actor,
  { id, active }: { id: string; active: boolean },
): Promise<Person> {
  authorize(actor, 'people.manage');
  const by = toActorRef(actor, undefined);
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const found = await findCredential(toQuery(trx), id);
    if (found?.kind !== 'person') throw personNotFound(id);
    checkManaged(actor, found);
    const person = await createPeopleRepository(trx).setActive(id, active, by);
    if (!person) throw personNotFound(id);
    const type = active ? 'person.activated' : 'person.deactivated';
    await createAuditLog(trx).record({ type, subjectId: id, payload: { name: person.name }, by });
    return person;
  });
}

/** The error of the id of a person that the workspace does not have. */
export function personNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no person ${id}.`);
}
