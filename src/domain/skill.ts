import { z } from 'zod';
import { actorRefSchema } from './actor.ts';
import { jsonObjectSchema } from './json-value.ts';
import { isSkillName } from './skill-path.ts';

/** The file of a skill that has its name, its description and its instructions. */
export const skillFile = 'SKILL.md';

/** The bounds of one version of a skill; sizes are in bytes. */
export const skillBounds = {
  files: 256,
  fileBytes: 1024 * 1024,
  bytes: 8 * 1024 * 1024,
  /** Of the file `SKILL.md`. */
  instructionBytes: 256 * 1024,
  frontMatterBytes: 16 * 1024,
};

/** The maximum number of skills of an agent, and the maximum number of characters of their names and descriptions together. */
const mostSkills = 50;
export const mostDescribed = 20_000;

/** The name of a skill. */
export const skillNameSchema = z
  .string()
  .refine(isSkillName, 'expected 1 to 64 lowercase letters, digits and single hyphens, such as "pdf-forms"');

/** The description of a skill, which says when an agent should use it. */
export const skillDescriptionSchema = z.string().trim().min(1).max(1024);

/** A version of a skill that an agent uses, as a caller names it. */
const skillPinSchema = z.strictObject({
  skillId: z.uuid(),
  version: z.int().min(1).max(2_147_483_647),
});

/** The skills of an agent, as a caller names them. */
export const skillPinsSchema = z.array(skillPinSchema).max(mostSkills);
export type SkillPin = z.infer<typeof skillPinSchema>;

/** A version of a skill as an agent version keeps it: a version never changes, so its description is copied. */
export const pinnedSkillSchema = z.object({
  skillId: z.string(),
  version: z.int(),
  name: z.string(),
  description: z.string(),
});
export type PinnedSkill = z.infer<typeof pinnedSkillSchema>;

/** A skill with what its newest version says. Times are ISO 8601. */
export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.int().describe('The number of its newest version'),
  digest: z.string().describe('SHA-256 in hex of the files of that version'),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Skill = z.infer<typeof skillSchema>;

/** One numbered, immutable version of a skill. */
export const skillVersionSchema = z.object({
  skillId: z.string(),
  version: z.int(),
  name: z.string(),
  description: z.string(),
  digest: z.string().describe('SHA-256 in hex of the paths and the digests of its files'),
  frontMatter: jsonObjectSchema.describe(
    'The fields of the front matter as they were imported. `allowed-tools` allows nothing here',
  ),
  fileCount: z.int(),
  bytes: z.int().describe('The size of all files together'),
  createdBy: actorRefSchema,
  createdAt: z.string(),
});
export type SkillVersion = z.infer<typeof skillVersionSchema>;

/** A file of a version of a skill, without its content. */
export const skillFileSchema = z.object({
  path: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  digest: z.string().describe('SHA-256 in hex of its bytes'),
  isText: z.boolean().describe('Whether agents can read it: it is UTF-8 without NUL characters'),
});
export type SkillFile = z.infer<typeof skillFileSchema>;

/** A version of a skill with its instructions and the list of its files. */
export const skillVersionDetailsSchema = skillVersionSchema.extend({
  body: z.string().describe('The instructions: `SKILL.md` without its front matter'),
  files: z.array(skillFileSchema),
});
export type SkillVersionDetails = z.infer<typeof skillVersionDetailsSchema>;

/** A file with its content: `text` for a text, otherwise `base64`. */
export const skillFileContentSchema = skillFileSchema.extend({
  text: z.string().nullable(),
  base64: z.string().nullable(),
});
export type SkillFileContent = z.infer<typeof skillFileContentSchema>;

/** A file of an import: its `text`, or its bytes as `base64`. */
const importedFileSchema = z.strictObject({
  path: z.string().min(1).max(1000),
  text: z.string().max(skillBounds.fileBytes).optional(),
  base64: z
    .base64()
    .max(Math.ceil(skillBounds.fileBytes / 3) * 4)
    .optional(),
});

/** The files of a skill. They may lie in one folder, which then has the name of the skill. */
export const skillImportSchema = z.strictObject({
  files: z.array(importedFileSchema).min(1).max(2000),
});
export type SkillImport = z.infer<typeof skillImportSchema>;
