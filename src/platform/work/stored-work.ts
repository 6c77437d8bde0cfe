import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { toStorableJson } from '../../domain/storable.ts';
import type { StoredWorkFields } from '../../domain/stored-work.ts';

/** The makers of work that acts later: the actor who created it, and the one who changed it last. */
export type Makers = Pick<StoredWorkFields, 'createdBy' | 'changedBy'>;

/** The makers after a change, and the name of the person for whom the work acts then. */
export interface Ownership extends Makers {
  person: string | null;
}

/** The columns of `schedules` and `triggers` about their makers. */
export interface StoredWorkRow {
  created_by: ActorRef;
  changed_by: ActorRef | null;
  stopped_at: Date | null;
  stopped_reason: string | null;
}

/** Returns the fields of stored work about its makers. */
export function toStoredWorkFields(row: StoredWorkRow): StoredWorkFields {
  return {
    createdBy: row.created_by,
    changedBy: row.changed_by,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    stoppedReason: row.stopped_reason,
  };
}

/** The columns of a change: its makers from now on. Work that was stopped acts again. */
export function toMakerColumns({ createdBy, changedBy, person }: Ownership): object {
  return {
    created_by: toStorableJson(createdBy),
    changed_by: changedBy && toStorableJson(changedBy),
    person: toOwnerKey(person),
    ...{ stopped_at: null, stopped_reason: null },
  };
}

/** Work that has to stop. */
export interface StoppedWork extends Makers {
  id: string;
  reason: string;
}

/** Marks work as stopped. False when it is stopped already, and when it has other makers by now. */
export async function markStopped(
  trx: Knex,
  table: 'schedules' | 'triggers',
  { id, createdBy, changedBy, reason }: StoppedWork,
): Promise<boolean> {
  const makers = { createdBy: toStorableJson(createdBy), changedBy: changedBy && toStorableJson(changedBy) };
  const stopped = await trx(table)
    .where({ id, stopped_at: null })
    .whereRaw('created_by = :createdBy::jsonb AND changed_by IS NOT DISTINCT FROM :changedBy::jsonb', makers)
    .update({ stopped_at: trx.fn.now(), stopped_reason: reason });
  return stopped > 0;
}
