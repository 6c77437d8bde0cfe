import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';

/** Adds a skill with one version and one file. */
export async function insertSkill(trx: Knex): Promise<void> {
  const id = newId();
  const of = { skill_id: id, version: 1, bytes: 1, digest: id };
  await trx('skills').insert({ id, name: `skill-${id}` });
  await trx('skill_versions').insert({
    ...{ ...of, id: newId(), description: 'x', front_matter: {}, body: 'x', file_count: 1, created_by: {} },
  });
  const file = { path: 'SKILL.md', media_type: 'text/markdown', is_text: true };
  await trx('skill_files').insert({ ...of, ...file, content: Buffer.from('x') });
}
