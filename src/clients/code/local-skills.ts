import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HoldfastError } from '../../domain/errors.ts';
import { skillBounds, skillFile } from '../../domain/skill.ts';
import { findPathProblem, isLeftBeside, isSkillName } from '../../domain/skill-path.ts';
import type { PortableSkill } from './portable.ts';

/**
 * Returns the folder of the skills of an agent by the path of its file: `agents/support/skills` for `agents/support.ts` and
 * for `index.ts` in `agents/support`.
 */
export function toSkillFolder(file: string): string {
  const { dir, name } = path.parse(file);
  return name === 'index' ? path.join(dir, 'skills') : path.join(dir, name, 'skills');
}

/** Whether a file is below the folder `skills` of an agent: it is a file of a skill, and no code. */
export function isInSkillFolder(folder: string, file: string): boolean {
  return /^[^/]+\/skills\/[^/]+\//u.test(path.relative(folder, file).split(path.sep).join('/'));
}

/**
 * Reads the skills in a folder, each a separate folder with a `SKILL.md`; none when there is no such folder.
 * @throws HoldfastError `INVALID_INPUT` for a skill that cannot be imported
 */
export async function readLocalSkills(folder: string): Promise<PortableSkill[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  return Promise.all(names.sort().map((name) => readLocalSkill(path.join(folder, name))));
}

/** Reads the skill in a folder, which has its name. @throws HoldfastError `INVALID_INPUT` */
export async function readLocalSkill(folder: string): Promise<PortableSkill> {
  const name = path.basename(path.resolve(folder));
  if (!existsSync(path.join(folder, skillFile)))
    throw new HoldfastError('INVALID_INPUT', `${folder} is no skill: expected a file ${skillFile} in it.`);
  const paths = await listPaths(folder);
  if (paths.length > skillBounds.files)
    throw new HoldfastError('INVALID_INPUT', `${folder} has more than ${skillBounds.files} files.`);
  const files = await Promise.all(
    paths.map(async (inner) => {
      const read = () => readFile(path.join(folder, ...inner.split('/')));
      return {
        path: inner,
        digest: createHash('sha256')
          .update(await read())
          .digest('hex'),
        read,
      };
    }),
  );
  return { name, files };
}

async function listPaths(folder: string, inner = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, inner), { withFileTypes: true });
  const kept = entries
    .filter(({ name }) => !isLeftBeside(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const nested = kept.map(async (entry) => {
    const place = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory()) return listPaths(folder, place);
    const problem = entry.isFile() ? findPathProblem(place) : 'is no file';
    if (problem !== null)
      throw new HoldfastError(
        'INVALID_INPUT',
        `${path.join(folder, place)} cannot be part of a skill: it ${problem}.`,
      );
    return [place];
  });
  return (await Promise.all(nested)).flat();
}

/**
 * Makes a folder hold these skills, and no others unless `keepsOthers` is set.
 * @throws HoldfastError `INVALID_INPUT` for a name or path that would leave it
 */
export async function writeLocalSkills(
  folder: string,
  skills: PortableSkill[],
  { keepsOthers = false } = {},
): Promise<void> {
  const present = keepsOthers ? [] : await readLocalSkills(folder);
  for (const { name, files } of skills) {
    const wrong = files.flatMap((file) => findPathProblem(file.path) ?? []);
    if (!isSkillName(name) || wrong.length > 0)
      throw new HoldfastError(
        'INVALID_INPUT',
        `The skill "${name}" cannot be written: ${wrong[0] ?? 'its name is wrong'}.`,
      );
  }
  for (const { name } of present) await rm(path.join(folder, name), { recursive: true });
  for (const { name, files } of skills)
    for (const file of files) {
      const place = path.join(folder, name, ...file.path.split('/'));
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, await file.read());
    }
}

/** Returns the files of a skill as the API takes them, in a folder with the name of the skill. */
export async function toSkillImport({ name, files }: PortableSkill) {
  const read = files.map(async ({ path: inner, read: readBytes }) => {
    const base64 = Buffer.from(await readBytes()).toString('base64');
    return { path: `${name}/${inner}`, base64 };
  });
  return { files: await Promise.all(read) };
}
