import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type {
  PinnedSkill,
  Skill,
  SkillFileContent,
  SkillPin,
  SkillVersion,
  SkillVersionDetails,
} from '../../domain/skill.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import type { ReadSkill } from './reading/read-skill.ts';
import {
  toSkill,
  toSkillFile,
  toSkillVersion,
  type SkillFileRow,
  type SkillRow,
  type SkillVersionRow,
} from './skill-rows.ts';

const fileColumns = ['path', 'media_type', 'bytes', 'digest', 'is_text'];

/** The skills of one workspace and their numbered versions, which never change. Deleted ones are not found. */
export function createSkillRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `NOT_FOUND` */
    getSkill: async (id: string): Promise<Skill> => {
      const row = await skillRows(trx).where('s.id', id).first();
      if (!row) throw skillNotFound(id);
      return toSkill(row);
    },

    /** Lists skills, newest first; with `name` only the one of that name. */
    listSkills: async ({
      cursor,
      limit,
      name,
    }: PageRequest & { name?: string | undefined }): Promise<Page<Skill>> => {
      const query = skillRows(trx).orderBy('s.id', 'desc');
      if (cursor) void query.where('s.id', '<', cursor);
      if (name !== undefined) void query.where('s.name', name);
      return toPage(await query.limit(limit + 1), limit, toSkill);
    },

    /** Finds a skill by its name. Until the transaction ends, other imports of that name wait. */
    lockName: async (name: string): Promise<{ id: string; version: number } | null> => {
      await trx.raw(
        "SELECT pg_advisory_xact_lock(hashtextextended('skill ' || current_workspace()::text || ' ' || ?, 0))",
        [name],
      );
      const found = trx('skills').where({ name, deleted_at: null }).forUpdate();
      return (await found.first<{ id: string; version: number } | undefined>('id', 'version')) ?? null;
    },

    /** Finds the version that has these files. */
    findDigest: async (skillId: string, digest: string): Promise<number | null> => {
      const found = trx('skill_versions').where({ skill_id: skillId, digest });
      return (await found.first<{ version: number } | undefined>('version'))?.version ?? null;
    },

    countSkills: async (): Promise<number> => {
      const [counted] = await trx('skills').where({ deleted_at: null }).count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** Stores a version, as the first one of a new skill or as the next one. */
    addVersion: (next: NewVersion): Promise<void> => addVersion(trx, next),

    /** @throws HoldfastError `NOT_FOUND` */
    listVersions: (page: PageRequest & { skillId: string }) => listVersions(trx, page),

    /** @throws HoldfastError `NOT_FOUND` */
    getVersion: (ref: SkillPin): Promise<SkillVersionDetails> => getVersion(trx, ref),

    /** @throws HoldfastError `NOT_FOUND` */
    getFile: (ref: SkillPin & { path: string }): Promise<SkillFileContent> => getFile(trx, ref),

    /** Finds versions for an agent, whose skills are not deleted before the transaction ends. */
    listPinned: (pins: SkillPin[]): Promise<PinnedSkill[]> => listPinned(trx, pins),

    /** Locks a skill until the transaction ends. @throws HoldfastError `NOT_FOUND` */
    lockSkill: async (id: string): Promise<{ name: string; version: number }> => {
      const found = trx('skills').where({ id, deleted_at: null }).forUpdate();
      const row = await found.first<{ name: string; version: number } | undefined>('name', 'version');
      if (!row) throw skillNotFound(id);
      return row;
    },

    /** Lists agents whose newest version uses a skill, by name. */
    listUsers: (skillId: string): Promise<{ id: string; name: string }[]> => listUsers(trx, skillId),

    /** Marks a skill as deleted. Its versions stay readable for the turns of agent versions that have them. */
    markDeleted: async (id: string): Promise<void> => {
      await trx('skills').where({ id }).update({ deleted_at: trx.fn.now() });
    },
  };
}

/** A version that is stored. */
interface NewVersion {
  skillId: string;
  version: number;
  skill: ReadSkill;
  createdBy: ActorRef;
}

function skillNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no skill ${id}.`);
}

function skillRows(trx: Knex): Knex.QueryBuilder<SkillRow, SkillRow[]> {
  return trx('skills as s')
    .join('skill_versions as v', (on) => on.on('v.skill_id', 's.id').andOn('v.version', 's.version'))
    .whereNull('s.deleted_at')
    .select('s.*', 'v.description', 'v.digest') as Knex.QueryBuilder<SkillRow, SkillRow[]>;
}

function versionRows(trx: Knex): Knex.QueryBuilder {
  return trx('skill_versions as v').join('skills as s', 's.id', 'v.skill_id').whereNull('s.deleted_at');
}

const versionColumns = ['id', 'skill_id', 'version', 'description', 'digest', 'front_matter']
  .concat(['file_count', 'bytes', 'created_by', 'created_at'])
  .map((column) => `v.${column}`);

async function addVersion(trx: Knex, { skillId, version, skill, createdBy }: NewVersion): Promise<void> {
  const { name, description, digest, bytes, body, files } = skill;
  if (version === 1) await trx('skills').insert({ id: skillId, name });
  else await trx('skills').where({ id: skillId }).update({ version, updated_at: trx.fn.now() });
  await trx('skill_versions').insert({
    ...{ id: newId(), skill_id: skillId, version, description, digest, bytes, body },
    file_count: files.length,
    front_matter: toStorableJson(skill.frontMatter),
    created_by: toStorableJson(createdBy),
  });
  const rows = files.map(({ path, mediaType, isText, content, ...file }) => ({
    ...{ skill_id: skillId, version, path, media_type: mediaType, is_text: isText, content },
    ...{ bytes: file.bytes, digest: file.digest },
  }));
  await trx.batchInsert('skill_files', rows, 50);
}

async function listVersions(trx: Knex, { skillId, cursor, limit }: PageRequest & { skillId: string }) {
  const query = versionRows(trx)
    .where('v.skill_id', skillId)
    .select(...versionColumns, 's.name')
    .orderBy('v.version', 'desc') as unknown as Knex.QueryBuilder<SkillVersionRow, SkillVersionRow[]>;
  if (cursor)
    void query.where('v.version', '<', trx('skill_versions').where({ id: cursor }).select('version'));
  const rows = await query.limit(limit + 1);
  if (rows.length === 0 && !cursor) throw skillNotFound(skillId);
  return toPage<SkillVersionRow, SkillVersion>(rows, limit, toSkillVersion);
}

async function getVersion(trx: Knex, { skillId, version }: SkillPin): Promise<SkillVersionDetails> {
  const row = await versionRows(trx)
    .where({ 'v.skill_id': skillId, 'v.version': version })
    .first<(SkillVersionRow & { body: string }) | undefined>(...versionColumns, 'v.body', 's.name');
  if (!row) throw new HoldfastError('NOT_FOUND', `The skill ${skillId} has no version ${version}.`);
  const files = await trx('skill_files')
    .where({ skill_id: skillId, version })
    .orderByRaw('path COLLATE "C"')
    .select<SkillFileRow[]>(fileColumns);
  return { ...toSkillVersion(row), body: row.body, files: files.map(toSkillFile) };
}

async function getFile(
  trx: Knex,
  { skillId, version, path }: SkillPin & { path: string },
): Promise<SkillFileContent> {
  const row = await versionRows(trx)
    .join('skill_files as f', (on) => on.on('f.skill_id', 'v.skill_id').andOn('f.version', 'v.version'))
    .where({ 'v.skill_id': skillId, 'v.version': version, 'f.path': path })
    .first<(SkillFileRow & { content: Buffer }) | undefined>(
      ...fileColumns.map((column) => `f.${column}`),
      'f.content',
    );
  if (!row)
    throw new HoldfastError('NOT_FOUND', `Version ${version} of the skill ${skillId} has no file "${path}".`);
  const { content } = row;
  // The text keeps a byte order mark, so that a copy has the same bytes.
  const text = row.is_text ? content.toString('utf8') : null;
  return { ...toSkillFile(row), text, base64: text === null ? content.toString('base64') : null };
}

async function listPinned(trx: Knex, pins: SkillPin[]): Promise<PinnedSkill[]> {
  const ids = pins.map(({ skillId }) => skillId);
  await trx('skills').whereIn('id', ids).orderBy('id').forShare().select('id');
  const wanted = pins.map(({ skillId, version }) => [skillId, version]);
  const rows = await versionRows(trx)
    .whereIn(['v.skill_id', 'v.version'], wanted)
    .select<PinnedRow[]>('v.skill_id', 'v.version', 's.name', 'v.description');
  return rows.map(({ skill_id: skillId, ...row }) => ({ skillId, ...row }));
}

type PinnedRow = Pick<SkillVersionRow, 'skill_id' | 'version' | 'name' | 'description'>;

function listUsers(trx: Knex, skillId: string): Promise<{ id: string; name: string }[]> {
  return trx('agents as a')
    .join('agent_versions as v', (on) => on.on('v.agent_id', 'a.id').andOn('v.version', 'a.current_version'))
    .whereNull('a.deleted_at')
    .whereRaw('v.skills @> jsonb_build_array(jsonb_build_object(?::text, ?::text))', ['skillId', skillId])
    .orderBy('v.name')
    .limit(100)
    .select<{ id: string; name: string }[]>('a.id', 'v.name');
}
