import { createHash } from 'node:crypto';
import { skillBounds, skillFile, type SkillFile, type SkillImport } from '../../../domain/skill.ts';
import { findPathProblem, isLeftBeside, toPathKey } from '../../../domain/skill-path.ts';
import type { ArchiveEntry, TakeEntry } from './archive-entry.ts';
import { readInstructions, type Instructions } from './front-matter.ts';
import { toSkillMediaType } from './media-types.ts';
import { readTarGz } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { refuseSkill } from './skill-refusal.ts';

/** A skill that was read from its files and may be stored. */
export interface ReadSkill extends Instructions {
  /** SHA-256 in hex over the digests and paths of its files. */
  digest: string;
  bytes: number;
  /** Ordered by path. */
  files: (SkillFile & { content: Buffer })[];
}

/** The maximum number of entries of an archive: folders, and what is left out, count as well. */
const mostEntries = 2000;

/** The maximum number of bytes of a tar archive: each file has a header and is filled up to a block. */
const mostTarBytes = skillBounds.bytes + 2 * 1024 * 1024;

/**
 * Reads a skill from an archive: ZIP, or tar with gzip.
 * @throws HoldfastError `INVALID_INPUT` with the path of the file that is wrong
 */
export function readSkillArchive(archive: Buffer): ReadSkill {
  const take = createTake();
  if (archive[0] === 0x1f && archive[1] === 0x8b) return readSkill(readTarGz(archive, mostTarBytes, take));
  if (archive.toString('latin1', 0, 2) === 'PK') return readSkill(readZip(archive, take));
  throw refuseSkill('file', 'expected a ZIP archive, or a tar archive with gzip');
}

/** Reads a skill from files as a request has them. @throws HoldfastError `INVALID_INPUT` */
export function readSkillFiles({ files }: SkillImport): ReadSkill {
  const take = createTake();
  const entries = files.flatMap(({ path, text, base64 }) => {
    if ((text === undefined) === (base64 === undefined))
      throw refuseSkill(path, 'expected either text or base64');
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
    return take(path, bytes.length) ? [{ name: path, bytes }] : [];
  });
  return readSkill(entries);
}

/** Counts the files that are read, and refuses those beyond the bounds. */
function createTake(): TakeEntry {
  const { files, fileBytes, bytes } = skillBounds;
  const total = { entries: 0, files: 0, bytes: 0 };
  return (name, size) => {
    total.entries += 1;
    if (total.entries > mostEntries) throw refuseSkill('file', `expected at most ${mostEntries} entries`);
    if (name.split('/').some(isLeftBeside)) return false;
    total.files += 1;
    total.bytes += size;
    if (total.files > files) throw refuseSkill('file', `expected at most ${files} files`);
    if (size > fileBytes) throw refuseSkill(name, `expected at most ${fileBytes} bytes, found ${size}`);
    if (total.bytes > bytes)
      throw refuseSkill('file', `expected at most ${bytes} bytes in all files together`);
    return true;
  };
}

function readSkill(entries: ArchiveEntry[]): ReadSkill {
  const named = entries.map(({ name, bytes }) => ({ path: toPath(name), bytes }));
  const folder = findFolder(named.map(({ path }) => path));
  const inFolder = named.map(({ path, bytes }) => ({ path: toInner(path, folder), bytes }));
  refuseSamePaths(inFolder);
  const files = inFolder.map(toFile).sort((one, other) => (one.path < other.path ? -1 : 1));
  const instructions = readInstructions(toInstructionText(files));
  if (folder !== '' && folder !== instructions.name) {
    const message = `expected the name of its folder, "${folder}", found "${instructions.name}"`;
    throw refuseSkill(`${skillFile}: name`, message);
  }
  const lines = files.map(({ path, digest }) => `${digest} ${path}\n`);
  return {
    ...instructions,
    digest: sha256(lines.join('')),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files,
  };
}

/** tar puts "./" before the paths of files. */
function toPath(name: string): string {
  const path = name.replace(/^\.\//u, '').normalize('NFC');
  const problem = findPathProblem(path);
  if (problem === null) return path;
  throw refuseSkill(JSON.stringify(name.slice(0, 200)), `cannot be the path of a file: it ${problem}`);
}

/** The folder that all files lie in; empty when `SKILL.md` is at the top. */
function findFolder(paths: string[]): string {
  if (paths.includes(skillFile)) return '';
  const folders = paths.flatMap((path) =>
    path.split('/')[1] === skillFile ? [path.split('/', 1)[0] ?? ''] : [],
  );
  const [folder, ...others] = folders;
  if (folder !== undefined && others.length === 0) return folder;
  if (others.length > 0)
    throw refuseSkill(
      'file',
      `expected one skill, found those in the folders ${folders.slice(0, 20).join(', ')}`,
    );
  throw refuseSkill('file', `expected a file ${skillFile}, at the top or in the only folder there`);
}

function toInner(path: string, folder: string): string {
  if (folder === '') return path;
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  throw refuseSkill(path, `expected all files in the folder "${folder}"`);
}

function refuseSamePaths(files: { path: string }[]): void {
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const key = toPathKey(path);
    const other = seen.get(key);
    if (other !== undefined) throw refuseSkill(path, `is the same path as "${other}" on some file systems`);
    seen.set(key, path);
  }
  for (const { path } of files) {
    const folder = listFolders(toPathKey(path)).find((one) => seen.has(one));
    if (folder !== undefined) throw refuseSkill(path, `is in a folder with the path of a file, "${folder}"`);
  }
}

function listFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function toFile({ path, bytes: content }: { path: string; bytes: Buffer }): ReadSkill['files'][number] {
  const isText = readText(content) !== null;
  const [bytes, digest] = [content.length, sha256(content)];
  return { path, mediaType: toSkillMediaType(path, isText), bytes, digest, isText, content };
}

function toInstructionText(files: ReadSkill['files']): string {
  const content = files.find(({ path }) => path === skillFile)?.content ?? Buffer.alloc(0);
  if (content.length > skillBounds.instructionBytes)
    throw refuseSkill(
      skillFile,
      `expected at most ${skillBounds.instructionBytes} bytes, found ${content.length}`,
    );
  const text = readText(content);
  if (text === null) throw refuseSkill(skillFile, 'expected UTF-8 without NUL characters');
  return text;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns bytes as a text without its byte order mark; null when they are no UTF-8, or have NUL characters. */
function readText(bytes: Uint8Array): string | null {
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
