import { gzipSync } from 'node:zlib';
import { zipSync, type Zippable } from 'fflate';
import { newId } from '../../src/platform/lib/ids.ts';
import type { Skill, SkillFileContent, SkillVersionDetails } from '../../src/domain/skill.ts';
import type { Api, CallOptions } from './api-lab.ts';

/** The files of a skill by their paths. */
export type SkillFiles = Record<string, string | Uint8Array>;

/** Returns the text of a `SKILL.md`. */
export function writeInstructions({
  name = 'tea-making',
  description = 'Makes tea. Use when somebody is thirsty.',
  body = '# Tea\n\nBoil water. See references/leaves.md.',
  fields = '',
} = {}): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n${body}\n`;
}

/** A small skill with a reference, a script and a picture. */
export const teaFiles: SkillFiles = {
  'SKILL.md': writeInstructions(),
  'references/leaves.md': '# Leaves\n\nGreen tea needs 80 degrees.\n',
  'scripts/boil.py': 'print("boiling")\n',
  'assets/cup.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]),
};

/** Packs files as a ZIP archive, in the folder `folder` when it is given. */
export function packZip(files: SkillFiles, folder = ''): Buffer {
  const entries: Zippable = {};
  for (const [path, content] of Object.entries(files)) entries[`${folder}${path}`] = toBytes(content);
  return Buffer.from(zipSync(entries));
}

/** An entry of a tar archive, as its header says it. */
export interface TarEntry {
  name: string;
  content?: string | Uint8Array;
  /** @default a plain file */
  type?: string;
  /** The size in octal, in place of the true one. */
  size?: string;
}

/** Packs entries as a tar archive with gzip. */
export function packTarGz(entries: TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', size }) => {
    const bytes = Buffer.from(toBytes(content));
    const header = Buffer.alloc(512);
    header.write(name, 0, 100, 'utf8');
    header.write('0000644\0', 100, 'latin1');
    header.write(`${size ?? bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write(type, 156, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    const filled = Buffer.alloc(Math.ceil(bytes.length / 512) * 512);
    bytes.copy(filled);
    return [header, filled];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** Returns files as the tar entries of a folder. */
export function toTarEntries(files: SkillFiles, folder = ''): TarEntry[] {
  return Object.entries(files).map(([path, content]) => ({ name: `${folder}${path}`, content }));
}

/** Returns files as the body of an import in JSON. */
export function toImport(files: SkillFiles) {
  return {
    files: Object.entries(files).map(([path, content]) =>
      typeof content === 'string'
        ? { path, text: content }
        : { path, base64: Buffer.from(content).toString('base64') },
    ),
  };
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** The fields of the answers of the endpoints of skills. */
export interface SkillData {
  skill: Skill;
  skills: Skill[];
  version: SkillVersionDetails;
  versions: SkillVersionDetails[];
  file: SkillFileContent;
  nextCursor: string | null;
}

/** Calls an endpoint of skills, such as `GET /:id`. */
export async function callSkills(api: Pick<Api, 'call'>, request: string, options: CallOptions = {}) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await api.call(method, `/api/skills${path}`, options);
  return { ...answer, data: answer.data as unknown as SkillData };
}

/** Imports a skill with a new name, unless files are given. */
export async function importTea(
  api: Pick<Api, 'call'>,
  files?: SkillFiles,
  options: CallOptions = {},
): Promise<SkillData> {
  const name = `tea-${newId()}`;
  const own = { ...teaFiles, 'SKILL.md': writeInstructions({ name }) };
  const { data } = await callSkills(api, 'POST', { body: toImport(files ?? own), ...options });
  return data;
}

/** Returns the place and the problem with which something is refused. */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const [first] = (error as { details: { field: string; message: string }[] }).details;
    return `${first?.field}: ${first?.message}`;
  }
  throw new Error('expected a refusal');
}
