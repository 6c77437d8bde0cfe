import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Skill } from '../../../clients/client/index.ts';
import type { ChatServices } from '../../../clients/cli/chat-services.ts';
import { confirm } from '../../../clients/cli/confirm.ts';
import { findOneAgent } from '../../../clients/cli/find-agent.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';
import { readAll } from '../../../clients/cli/pages.ts';
import { readLocalSkill, toSkillImport, writeLocalSkills } from '../../../clients/code/local-skills.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toOneLine } from '../../../domain/text.ts';
import { isUuid } from '../../../domain/uuid.ts';

type CommandServices = Pick<ChatServices, 'client' | 'terminal' | 'context'>;
type Client = CommandServices['client'];

/** Lists the skills, one line each. */
export async function listSkills({ client, terminal }: CommandServices, { json }: OutputOptions) {
  const skills = await readAll((page) => client.skills.list(page));
  if (json) {
    printJson(terminal, skills);
    return;
  }
  if (skills.length === 0) terminal.line('The workspace has no skills.');
  for (const { id, name, version, description } of skills)
    terminal.line(`${id}  ${name}  version ${version}  ${toOneLine(description, 80)}`);
}

/** Imports a skill from its folder or from an archive. */
export async function importSkill(
  { client, terminal }: CommandServices,
  place: string,
  { json }: OutputOptions,
) {
  const found = await stat(place).catch(() => null);
  if (!found) throw new HoldfastError('INVALID_INPUT', `There is no file or folder ${place}.`);
  const body = found.isDirectory()
    ? await toSkillImport(await readLocalSkill(place))
    : { file: new File([await readFile(place)], path.basename(place)) };
  const imported = await client.skills.import(body);
  const { skill, version } = imported;
  if (json) printJson(terminal, imported);
  else
    terminal.line(
      `Skill ${skill.id} is "${skill.name}" with these files in version ${version.version}: ${version.fileCount} files, ${version.bytes} bytes.`,
    );
}

/** The options of commands that may name a version. */
export interface VersionOptions extends OutputOptions {
  /** @default the newest version */
  skillVersion?: string;
}

/** Shows a version of a skill, by its id or name: its fields, instructions and files. */
export async function showSkill(
  { client, terminal }: CommandServices,
  idOrName: string,
  options: VersionOptions,
) {
  const { id, number } = await findVersion(client, idOrName, options);
  const version = await client.skills.versions.get(id, number);
  if (options.json) {
    printJson(terminal, version);
    return;
  }
  terminal.line(`${version.name}, version ${version.version}, ${version.digest}`);
  terminal.line(version.description);
  terminal.line();
  terminal.line(version.body);
  terminal.line();
  for (const { path: file, bytes, mediaType } of version.files)
    terminal.line(`${file}  ${mediaType}  ${bytes} bytes`);
}

/** Lists the versions of a skill, by its id or name. */
export async function listVersions(
  { client, terminal }: CommandServices,
  idOrName: string,
  { json }: OutputOptions,
) {
  const { id } = await findSkill(client, idOrName);
  const versions = await readAll((page) => client.skills.versions.list(id, page));
  if (json) {
    printJson(terminal, versions);
    return;
  }
  for (const { version, digest, createdAt, fileCount } of versions)
    terminal.line(`version ${version}  ${createdAt}  ${fileCount} files  ${digest}`);
}

/** Writes a version of a skill into a folder, as a folder with its name. */
export async function exportSkill(
  { client, terminal }: CommandServices,
  idOrName: string,
  options: VersionOptions & { out?: string },
) {
  const { id, number } = await findVersion(client, idOrName, options);
  const { name, files } = await client.skills.versions.get(id, number);
  const folder = options.out ?? '.';
  const place = path.join(folder, name);
  if (existsSync(place))
    throw new HoldfastError('CONFLICT', `${place} is there already: name another folder with --out.`);
  const read = async (file: string) => {
    const { text, base64 } = await client.skills.versions.file(id, number, { path: file });
    return text === null ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
  };
  const written = { name, files: files.map((file) => ({ ...file, read: () => read(file.path) })) };
  await writeLocalSkills(folder, [written], { keepsOthers: true });
  if (options.json) printJson(terminal, { folder: place, version: number });
  else terminal.line(`${place}: version ${number}, ${files.length} files`);
}

/** Gives a version of a skill to an agent, in a new version of the agent. */
export async function giveSkill(
  { client, terminal }: CommandServices,
  { agent: agentIdOrName, skill: idOrName }: { agent: string; skill: string },
  options: VersionOptions,
) {
  const { id: skillId, name, number: version } = await findVersion(client, idOrName, options);
  const agent = await findOneAgent(client, agentIdOrName);
  const others = agent.skills.filter((one) => one.skillId !== skillId);
  const pins = [...others, { skillId, version }].map((pin) => ({
    skillId: pin.skillId,
    version: pin.version,
  }));
  const changed = await client.agents.update(agent.id, { skills: pins, version: agent.version });
  if (options.json) printJson(terminal, changed);
  else
    terminal.line(
      `Agent "${changed.name}" uses version ${version} of "${name}" in its version ${changed.version}.`,
    );
}

/** Takes a skill from an agent, in a new version of the agent. */
export async function takeSkill(
  { client, terminal }: CommandServices,
  { agent: agentIdOrName, skill: idOrName }: { agent: string; skill: string },
  { json }: OutputOptions,
) {
  const agent = await findOneAgent(client, agentIdOrName);
  const found = agent.skills.find(({ skillId, name }) => skillId === idOrName || name === idOrName);
  if (!found)
    throw new HoldfastError('NOT_FOUND', `The agent "${agent.name}" does not use a skill "${idOrName}".`);
  const pins = agent.skills
    .filter((one) => one !== found)
    .map(({ skillId, version }) => ({ skillId, version }));
  const changed = await client.agents.update(agent.id, { skills: pins, version: agent.version });
  if (json) printJson(terminal, changed);
  else
    terminal.line(`Agent "${changed.name}" does not use "${found.name}" in its version ${changed.version}.`);
}

/** Deletes a skill, by its id or name, after a question. */
export async function deleteSkill(
  { client, terminal, context }: CommandServices,
  idOrName: string,
  { yes, json }: OutputOptions & { yes?: boolean },
) {
  const { id, name } = await findSkill(client, idOrName);
  await confirm(`Delete the skill "${name}" (${id}) with its versions?`, {
    context,
    yes,
    json,
    refusal: 'Nothing was deleted.',
  });
  await client.skills.delete(id);
  if (json) printJson(terminal, { deleted: true });
  else terminal.line(`Skill "${name}" (${id}) is deleted.`);
}

async function findVersion(client: Client, idOrName: string, { skillVersion }: VersionOptions) {
  const skill = await findSkill(client, idOrName);
  const number = skillVersion === undefined ? skill.version : Number(skillVersion);
  if (Number.isInteger(number) && number > 0) return { id: skill.id, name: skill.name, number };
  throw new HoldfastError(
    'INVALID_INPUT',
    `--skill-version is "${skillVersion}": expected a number above 0.`,
  );
}

async function findSkill(client: Client, idOrName: string): Promise<Skill> {
  if (isUuid(idOrName)) return client.skills.get(idOrName);
  const all = await readAll((page) => client.skills.list(page));
  const found = all.find(({ name }) => name === idOrName);
  if (found) return found;
  const names =
    all
      .map(({ name }) => name)
      .sort()
      .join(', ') || 'none';
  throw new HoldfastError('NOT_FOUND', `There is no skill "${idOrName}". There are: ${names}.`);
}
