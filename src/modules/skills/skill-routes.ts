import { z } from 'zod';
import {
  skillBounds,
  skillFileContentSchema,
  skillImportSchema,
  skillNameSchema,
  skillSchema,
  skillVersionDetailsSchema,
  skillVersionSchema,
} from '../../domain/skill.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, integerParameter, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';
import { deleteSkill } from './delete-skill.ts';
import { importSkill } from './import-skill.ts';
import type { SkillDependencies } from './skill-dependencies.ts';
import { createSkillRepository } from './skill-repository.ts';

const route = routesOf<SkillDependencies>();
const tag = 'skills';
const versionParams = idParams.extend({ version: integerParameter(1, 2_147_483_647) });
const mebibyte = 1024 * 1024;

/** The files of a skill as base64 in JSON, with their paths. */
const maxBodyBytes = 12 * mebibyte;

const imported = z.object({ skill: skillSchema, version: skillVersionDetailsSchema });

const importSkillRoute = route({
  method: 'POST',
  path: '/api/skills',
  operationId: 'importSkill',
  clientName: 'skills.import',
  summary: 'Import a skill',
  description:
    'Takes a skill in the open Agent Skills format: a ZIP archive, or tar with gzip, as `multipart/form-data` in the field ' +
    `\`file\`, or its files as JSON; at most ${skillBounds.files} files, ${skillBounds.fileBytes / mebibyte} MiB each and ` +
    `${skillBounds.bytes / mebibyte} MiB together. A skill whose name is known gets a new version; agents keep theirs. Files ` +
    'that a version has already are answered with that version and status 200. Scripts are stored and never run.',
  tag,
  right: 'skills.write',
  body: skillImportSchema,
  takesFile: true,
  maxBodyBytes,
  answers: { 200: imported, 201: imported },
  errors: ['CONFLICT', 'FILE_REFUSED'],
  handler: async ({ body, upload, actor, dependencies, openSignal }) => {
    const run = { source: upload ?? body, signal: openSignal() };
    const { isNew, ...data } = await importSkill(dependencies, actor, run);
    return isNew ? { status: 201, data } : { status: 200, data };
  },
});

const listSkills = route({
  method: 'GET',
  path: '/api/skills',
  operationId: 'listSkills',
  summary: 'List skills, newest first',
  tag,
  right: 'skills.read',
  query: pageQuery.extend({ name: skillNameSchema.optional().describe('Only the skill of this name') }),
  answers: { 200: z.object({ skills: z.array(skillSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const { items, nextCursor } = await inWorkspace((trx) => createSkillRepository(trx).listSkills(query));
    return { status: 200, data: { skills: items, nextCursor } };
  },
});

const getSkill = route({
  method: 'GET',
  path: '/api/skills/:id',
  operationId: 'getSkill',
  summary: 'Get a skill',
  tag,
  right: 'skills.read',
  params: idParams,
  answers: { 200: z.object({ skill: skillSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const skill = await inWorkspace((trx) => createSkillRepository(trx).getSkill(params.id));
    return { status: 200, data: { skill } };
  },
});

const deleteSkillRoute = route({
  method: 'DELETE',
  path: '/api/skills/:id',
  operationId: 'deleteSkill',
  summary: 'Delete a skill',
  description:
    'Deletes its versions too. Refused with 409 while the newest version of an agent uses it. Turns of older agent versions ' +
    'can read it for 30 more days; then its files are removed.',
  tag,
  right: 'skills.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  errors: ['CONFLICT'],
  handler: async ({ params, actor, dependencies }) => {
    await deleteSkill(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const listSkillVersions = route({
  method: 'GET',
  path: '/api/skills/:id/versions',
  operationId: 'listSkillVersions',
  summary: 'List the versions of a skill, newest first',
  tag,
  right: 'skills.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ versions: z.array(skillVersionSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, inWorkspace }) => {
    const page = { ...query, skillId: params.id };
    const { items, nextCursor } = await inWorkspace((trx) => createSkillRepository(trx).listVersions(page));
    return { status: 200, data: { versions: items, nextCursor } };
  },
});

const getSkillVersion = route({
  method: 'GET',
  path: '/api/skills/:id/versions/:version',
  operationId: 'getSkillVersion',
  summary: 'Get a version of a skill',
  description: 'With its instructions and the list of its files.',
  tag,
  right: 'skills.read',
  params: versionParams,
  answers: { 200: z.object({ version: skillVersionDetailsSchema }) },
  handler: async ({ params: { id: skillId, version: number }, inWorkspace }) => {
    const ref = { skillId, version: number };
    const version = await inWorkspace((trx) => createSkillRepository(trx).getVersion(ref));
    return { status: 200, data: { version } };
  },
});

const getSkillFile = route({
  method: 'GET',
  path: '/api/skills/:id/versions/:version/file',
  operationId: 'getSkillFile',
  summary: 'Get a file of a version of a skill',
  tag,
  right: 'skills.read',
  params: versionParams,
  query: z.strictObject({
    path: z.string().min(1).max(255).describe('The path of the file, as the version lists it'),
  }),
  answers: { 200: z.object({ file: skillFileContentSchema }) },
  handler: async ({ params: { id: skillId, version }, query: { path }, inWorkspace }) => {
    const file = await inWorkspace((trx) => createSkillRepository(trx).getFile({ skillId, version, path }));
    return { status: 200, data: { file } };
  },
});

/** The endpoints of skills. */
export const skillRoutes = [
  importSkillRoute,
  listSkills,
  getSkill,
  deleteSkillRoute,
  listSkillVersions,
  getSkillVersion,
  getSkillFile,
];
