import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toStorableJson } from '../../domain/storable.ts';
import type { TriggerChange, TriggerInput } from './trigger.ts';
import { isUuid } from '../../domain/uuid.ts';
import { toMakerColumns, type Ownership } from '../../platform/work/stored-work.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { toTrigger, type StoredTrigger, type TriggerRow } from './trigger-rows.ts';

/** The sealed secrets of a trigger, the id of their key, and when the last old one stops to count. */
export interface SealedTriggerSecrets {
  sealed: Buffer;
  keyId: string;
  oldUntil: Date | null;
}

/** A trigger before it is stored. */
interface NewTrigger {
  id: string;
  input: Omit<TriggerInput, 'secret'>;
  secrets: SealedTriggerSecrets | null;
  createdBy: ActorRef;
}

/** A trigger with its sealed secrets; null until the vendor's secret is set. */
export interface SealedTrigger {
  trigger: StoredTrigger;
  sealed: Buffer | null;
}

/** The triggers of one workspace, their secrets sealed. */
export function createTriggerRepository(trx: Knex) {
  const rows = () => trx<TriggerRow>('triggers').whereNull('deleted_at');
  const update = async (id: string, change: object): Promise<StoredTrigger> => {
    const [row] = await rows()
      .where({ id })
      .update({ ...change, updated_at: trx.fn.now() })
      .returning<TriggerRow[]>('*');
    if (!row) throw triggerNotFound(id);
    return toTrigger(row);
  };
  return {
    createTrigger: async ({ id, input, secrets, createdBy }: NewTrigger): Promise<StoredTrigger> => {
      const { provider, rule } = input;
      const [row] = await trx('triggers')
        .insert({
          ...{ id, provider, ...toColumns(input), ...(secrets ? toSecretColumns(secrets) : {}) },
          rule: rule === undefined ? null : toStorableJson(rule),
          ...toMakerColumns({ createdBy, changedBy: null, person: createdBy.actingFor }),
        })
        .returning<TriggerRow[]>('*');
      if (!row) throw new Error('an inserted trigger did not come back');
      return toTrigger(row);
    },

    countTriggers: async (): Promise<number> => {
      const [counted] = await rows().count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getTrigger: async (id: string): Promise<StoredTrigger> => {
      const row = await rows().where({ id }).first();
      if (!row) throw triggerNotFound(id);
      return toTrigger(row);
    },

    /** Null when it was deleted. */
    findTrigger: async (id: string): Promise<StoredTrigger | null> => {
      const row = await rows().where({ id }).first();
      return row ? toTrigger(row) : null;
    },

    /** Locks the row until the transaction ends. @throws HoldfastError `NOT_FOUND` */
    getForUpdate: async (id: string): Promise<SealedTrigger> => {
      const row = await rows().where({ id }).forUpdate().first();
      if (!row) throw triggerNotFound(id);
      return { trigger: toTrigger(row), sealed: row.sealed };
    },

    /** Newest first. */
    listTriggers: async ({ cursor, limit }: PageRequest): Promise<Page<StoredTrigger>> => {
      const query = rows().orderBy('id', 'desc');
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toTrigger);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    changeTrigger: (id: string, change: TriggerChange, owned: Ownership): Promise<StoredTrigger> =>
      update(id, { ...toColumns(change), ...toMakerColumns(owned) }),

    /** @throws HoldfastError `NOT_FOUND` */
    changeSecrets: (id: string, secrets: SealedTriggerSecrets, owned: Ownership): Promise<StoredTrigger> =>
      update(id, { ...toSecretColumns(secrets), ...toMakerColumns(owned) }),

    /** Deletes a trigger with its secrets; its deliveries are removed later. @throws HoldfastError `NOT_FOUND` */
    deleteTrigger: (id: string): Promise<StoredTrigger> =>
      update(id, { deleted_at: trx.fn.now(), sealed: null, key_id: null }),
  };
}

/** Finds a trigger of any workspace that is not deleted, with its sealed secrets; needs the system database. */
export async function findTriggerAnywhere(
  system: Knex,
  id: string,
): Promise<(SealedTrigger & { workspaceId: string }) | null> {
  if (!isUuid(id)) return null;
  const row = await system<TriggerRow>('triggers')
    .where({ id, deleted_at: null })
    .whereExists(system('workspaces').whereRaw('id = triggers.workspace_id').whereNull('deleted_at'))
    .first();
  return row ? { trigger: toTrigger(row), sealed: row.sealed, workspaceId: row.workspace_id } : null;
}

function toColumns(change: TriggerChange): object {
  const { name, events, filter, includeBots, action, maxPerMinute, paused } = change;
  return {
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events }),
    ...(filter === undefined ? {} : { filter }),
    ...(includeBots === undefined ? {} : { include_bots: includeBots }),
    ...(action === undefined ? {} : { action: toStorableJson(action) }),
    ...(maxPerMinute === undefined ? {} : { max_per_minute: maxPerMinute }),
    ...(paused === undefined ? {} : { paused }),
  };
}

function toSecretColumns({ sealed, keyId, oldUntil }: SealedTriggerSecrets): object {
  return { sealed, key_id: keyId, old_secrets_until: oldUntil };
}

function triggerNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no trigger ${id}.`);
}
