import type { Knex } from 'knex';
import type { ActorRef } from '../domain/actor.ts';
import { toStorableJson } from '../domain/storable.ts';

/** Who made work that acts later, and who changed it last. */
export interface Makers {
  createdBy: ActorRef;
  changedBy: ActorRef | null;
}

/** The columns of a change: its makers from now on. Work that was stopped acts again. */
export function toMakerColumns({ createdBy, changedBy }: Makers): object {
  return {
    created_by: toStorableJson(createdBy),
    changed_by: changedBy && toStorableJson(changedBy),
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
