import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';

/** Adds an uploaded file in two pieces, which a turn uses. Returns its id. */
export async function insertFile(trx: Knex, turnId?: string, daysAgo = 0): Promise<string> {
  const id = newId();
  const created_at = trx.raw(`now() - make_interval(days => ?)`, [daysAgo]);
  const upload = { created_by: { apiKeyId: newId(), actingFor: null }, created_at };
  const facts = { media_type: 'text/plain', sha256: 'x', size: 2, place: 'pieces' };
  await trx('files').insert({ id, ...facts, ...upload });
  const piece = { file_id: id, bytes: Buffer.from('x') };
  await trx('file_pieces').insert([0, 1].map((position) => ({ ...piece, position })));
  if (turnId !== undefined) await trx('file_uses').insert({ file_id: id, turn_id: turnId });
  return id;
}
