import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandServices } from '../../../clients/cli/command-table.ts';
import { invalid } from '../../../clients/cli/option-values.ts';
import { printJson } from '../../../clients/cli/output.ts';
import { readLocalSkill, toSkillImport, writeLocalSkills } from '../../../clients/code/local-skills.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** Reads a skill from its folder or from an archive, as the API imports it. */
export async function readSkill(place: string) {
  const found = await stat(place).catch(() => null);
  if (!found) throw invalid(`There is no file or folder ${place}.`);
  return found.isDirectory()
    ? toSkillImport(await readLocalSkill(place))
    : { file: new File([await readFile(place)], path.basename(place)) };
}

/** Writes a version of a skill into a folder, as a folder with its name. */
export async function exportSkill(
  { client, terminal }: CommandServices,
  { id, number }: { id: string; number: number },
  { out = '.', json }: { out?: string; json?: boolean },
) {
  const { name, files } = await client.skills.versions.get(id, number);
  const place = path.join(out, name);
  if (existsSync(place))
    throw new HoldfastError('CONFLICT', `${place} is there already: name another folder with --out.`);
  const read = async (file: string) => {
    const { text, base64 } = await client.skills.versions.file(id, number, { path: file });
    return text === null ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  };
  const written = { name, files: files.map((file) => ({ ...file, read: () => read(file.path) })) };
  await writeLocalSkills(out, [written], { keepsOthers: true });
  if (json) printJson(terminal, { folder: place, version: number });
  else terminal.line(`${place}: version ${number}, ${files.length} files`);
}
