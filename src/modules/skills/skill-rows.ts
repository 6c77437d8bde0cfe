import type { ActorRef } from '../../domain/actor.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Skill, SkillFile, SkillVersion } from '../../domain/skill.ts';

/** A row of `skills` joined with its newest version. */
export interface SkillRow {
  id: string;
  name: string;
  version: number;
  description: string;
  digest: string;
  created_at: Date;
  updated_at: Date;
}

/** A row of `skill_versions` with the name of its skill, without the instructions. */
export interface SkillVersionRow {
  id: string;
  skill_id: string;
  version: number;
  name: string;
  description: string;
  digest: string;
  front_matter: JsonObject;
  file_count: number;
  bytes: number;
  created_by: ActorRef;
  created_at: Date;
}

/** A row of `skill_files` without its content. */
export interface SkillFileRow {
  path: string;
  media_type: string;
  bytes: number;
  digest: string;
  is_text: boolean;
}

export function toSkill(row: SkillRow): Skill {
  const { id, name, version, description, digest } = row;
  const times = { createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() };
  return { id, name, version, description, digest, ...times };
}

export function toSkillVersion(row: SkillVersionRow): SkillVersion {
  const { version, name, description, digest, bytes } = row;
  return {
    ...{ skillId: row.skill_id, version, name, description, digest, bytes },
    ...{ frontMatter: row.front_matter, fileCount: row.file_count, createdBy: row.created_by },
    createdAt: row.created_at.toISOString(),
  };
}

export function toSkillFile({
  path,
  media_type: mediaType,
  bytes,
  digest,
  is_text: isText,
}: SkillFileRow): SkillFile {
  return { path, mediaType, bytes, digest, isText };
}
