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

/** Makes a file with one new key, readable by its owner only, unless there is one. */
export function ensureKeyFile(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  write(file, `${createEntry('')}\n`);
}

/**
 * Puts a new key before the others of a file, which makes it the current one; the others stay, to read with.
 * Only one process at a time may do this.
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
 * In one step: a reader sees the whole old file or the whole new one. What is sealed under a new key may be stored right
 * afterwards, so the file is on the disk before this returns: a power failure must not take the key and leave the rest.
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

/** Whoever could read the file before, such as the user of the service, still can when another one adds a key. */
function takeOver(target: string, opened: number): void {
  const before = statSync(target, { throwIfNoEntry: false });
  fchmodSync(opened, before ? before.mode & 0o777 : 0o600);
  if (before && process.getuid?.() === 0) fchownSync(opened, before.uid, before.gid);
}

/** The name of a file is in its folder, which is written by itself. Windows has no such thing. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
