import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseEncryptionKeys } from './key-source.ts';

/** Creates a file with one new key, readable by its owner only, unless the file exists. */
export function ensureKeyFile(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  write(file, `${createEntry('')}\n`);
}

/**
 * Puts a new key before the others of a file, which makes it the current one. The others stay, so that older secrets
 * can be opened. Only one process at a time may call it.
 * @returns the id of the new key
 */
export function addKeyToFile(file: string): string {
  const text = readFileSync(file, 'utf8');
  const known = new Set(parseEncryptionKeys(text).map(({ id }) => id));
  let entry = createEntry('');
  for (let count = 2; known.has(toId(entry)); count += 1) entry = createEntry(`-${count}`);
  write(file, `${entry}\n${text}`);
  return toId(entry);
}

function createEntry(suffix: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `k${day}${suffix}:${randomBytes(32).toString('base64')}`;
}

function toId(entry: string): string {
  return entry.slice(0, entry.indexOf(':'));
}

/**
 * Replaces a file in one step: a reader sees the whole old file or the whole new one. The file is on the disk before
 * this returns, so that a power failure cannot lose a key under which secrets are stored right afterwards.
 */
function write(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const next = `${target}.${process.pid}.new`;
  const opened = openSync(next, 'w', 0o600);
  try {
    takeOver(target, opened);
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(next, target);
  syncFolder(path.dirname(target));
}

/** Keeps the owner and the mode of the old file, so that the user of the service can read a file that root replaced. */
function takeOver(target: string, opened: number): void {
  const before = statSync(target, { throwIfNoEntry: false });
  fchmodSync(opened, before ? before.mode & 0o777 : 0o600);
  if (before && process.getuid?.() === 0) fchownSync(opened, before.uid, before.gid);
}

/** Writes the folder to the disk too, since it has the name of the file. Windows does not support that. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
