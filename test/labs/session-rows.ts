import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';

/** Stores an API key without a secret, and a session of it. */
export async function insertSession(trx: Knex): Promise<void> {
  const id = newId();
  await trx('api_keys').insert({ id, name: 'Key', secret_hash: Buffer.alloc(32), scopes: [] });
  const session = { id: newId(), credential_id: id, secret_hash: Buffer.alloc(32), expires_at: new Date() };
  await trx('sessions').insert(session);
}
