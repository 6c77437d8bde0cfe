import type { Knex } from 'knex';

/** A kind of sealed value: its table, its key column, and the purpose that it is sealed with. */
export interface SealedKind {
  table: string;
  /** The column that identifies its rows. */
  id: string;
  purpose: string;
}

/** Every table with sealed values in `sealed` and the id of their key in `key_id`. */
export const sealedKinds: SealedKind[] = [
  { table: 'connections', id: 'id', purpose: 'connection' },
  { table: 'authorization_requests', id: 'state_hash', purpose: 'authorization' },
  { table: 'webhooks', id: 'id', purpose: 'webhook' },
  { table: 'triggers', id: 'id', purpose: 'trigger' },
];

/** A sealed value of one record. */
export interface SealedRow {
  /** The record id that the value is sealed with; bytes in hex. */
  recordId: string;
  sealed: Buffer;
}

interface BatchRequest {
  /** Rows under this key are left alone. */
  currentKeyId: string;
  /** The last record of the batch before. */
  after: string | null;
  limit: number;
}

/** The sealed values of one kind in one workspace, for the rotation of keys. */
export function createSealedRowRepository(trx: Knex, { table, id }: SealedKind) {
  return {
    /** The next values under other keys, locked until the transaction ends. */
    listOutdated: async ({ currentKeyId, after, limit }: BatchRequest): Promise<SealedRow[]> => {
      const query = trx(table)
        .whereNotNull('sealed')
        .whereNot('key_id', currentKeyId)
        .orderBy(id)
        .limit(limit);
      if (after !== null) void query.where(id, '>', toKey(id, after));
      const rows = await query.forUpdate().select<Record<string, unknown>[]>(id, 'sealed');
      return rows.map((row) => ({ recordId: toRecordId(row[id]), sealed: row['sealed'] as Buffer }));
    },

    /** Replaces a sealed value, and leaves `updated_at` as it is. */
    reseal: async (recordId: string, { sealed, keyId }: { sealed: Buffer; keyId: string }): Promise<void> => {
      await trx(table).where(id, toKey(id, recordId)).update({ sealed, key_id: keyId });
    },
  };
}

/** How many values are sealed under each key, in all workspaces. */
export async function countSealedByKey(system: Knex): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table } of sealedKinds) {
    const query = system(table).whereNotNull('sealed').groupBy('key_id').count('* as count').select('key_id');
    for (const { key_id: keyId, count } of (await query) as { key_id: string; count: number }[]) {
      counts.set(keyId, (counts.get(keyId) ?? 0) + count);
    }
  }
  return counts;
}

function toRecordId(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
}

function toKey(column: string, recordId: string): string | Buffer {
  return column === 'id' ? recordId : Buffer.from(recordId, 'hex');
}
