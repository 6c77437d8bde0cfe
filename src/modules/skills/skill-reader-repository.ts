import type { JsonObject } from '../../domain/json.ts';
import type { SkillFile, SkillPin } from '../../domain/skill.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { toSkillFile, type SkillFileRow } from './skill-rows.ts';

/** Reads the versions of skills that turns use, those of deleted skills too. */
export function createSkillReaderRepository(query: Query) {
  return {
    /** Returns the instructions and the files of a version; null for one that was removed. */
    findInstructions: async (ref: SkillPin): Promise<{ body: string; files: SkillFile[] } | null> => {
      const [row] = await query(findInstructions, toValues(ref));
      return row ? { body: row.body, files: row.files.map(toSkillFile) } : null;
    },

    /** Returns the text of a file; null for a file that is no text. Undefined when there is none of that path. */
    findText: async ({ path, ...ref }: SkillPin & { path: string }): Promise<string | null | undefined> => {
      const [row] = await query(findFile, { ...toValues(ref), path });
      if (!row) return undefined;
      return row.isText ? row.content.toString('utf8').replace(/^\uFEFF/u, '') : null;
    },

    /** Lists the calls of some tools in a turn before one of them, which have succeeded or may still. */
    listEarlier: ({ names, ...call }: EarlierCalls): Promise<EarlierCall[]> =>
      query(listEarlier, { ...call, names: toStorableJson(names) }),
  };
}

export type SkillReaderRepository = ReturnType<typeof createSkillReaderRepository>;

interface EarlierCalls {
  turnId: string;
  toolCallId: string;
  names: readonly string[];
}

/** A call of a tool that reads skills. */
export interface EarlierCall {
  name: string;
  arguments: JsonObject;
}

function toValues({ skillId, version }: SkillPin) {
  return { skillId, version };
}

const findInstructions = defineStatement<SkillPin, { body: string; files: SkillFileRow[] }>(
  'find_skill_instructions',
  `SELECT v.body, coalesce((SELECT jsonb_agg(jsonb_build_object('path', f.path, 'media_type', f.media_type, 'bytes', f.bytes,
       'digest', f.digest, 'is_text', f.is_text) ORDER BY f.path COLLATE "C")
     FROM skill_files f WHERE f.skill_id = v.skill_id AND f.version = v.version), '[]') AS files
   FROM skill_versions v WHERE v.skill_id = :skillId AND v.version = :version`,
);

const findFile = defineStatement<SkillPin & { path: string }, { isText: boolean; content: Buffer }>(
  'find_skill_file',
  `SELECT is_text AS "isText", content FROM skill_files
   WHERE skill_id = :skillId AND version = :version AND path = :path`,
);

const listEarlier = defineStatement<Omit<EarlierCalls, 'names'> & { names: string }, EarlierCall>(
  'list_earlier_skill_calls',
  `SELECT c.name, c.arguments FROM tool_calls own
   JOIN tool_calls c ON c.conversation_id = own.conversation_id AND c.turn_ordinal = own.turn_ordinal
     AND (c.iteration, c.index) < (own.iteration, own.index)
   WHERE own.id = :toolCallId AND own.turn_id = :turnId AND c.name = ANY (ARRAY(SELECT jsonb_array_elements_text(:names::jsonb))) AND c.arguments IS NOT NULL
     AND c.status IN ('requested', 'started', 'succeeded')`,
);
