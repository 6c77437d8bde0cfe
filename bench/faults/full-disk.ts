import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../src/main/dev/run-command.ts';

const size = '384m';
const blockBytes = 1024 * 1024;
const commandMs = 10_000;

/** A small file system in memory that can be filled. */
export interface FullDisk {
  folder: string;
  fill: () => void;
  empty: () => void;
  close: () => Promise<void>;
}

/** Mounts a small file system; null where this process may not do that. */
export async function mountSmallDisk(folder: string): Promise<FullDisk | null> {
  mkdirSync(folder, { recursive: true });
  const mount = ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder];
  const mounted = await runCommand('mount', mount, { timeoutMs: commandMs });
  if (!mounted.succeeded) return null;
  const ballast = path.join(folder, 'ballast');
  return {
    folder,
    fill: () => fillUp(ballast),
    empty: () => rmSync(ballast, { force: true }),
    close: async () => {
      await runCommand('umount', [folder], { timeoutMs: commandMs });
    },
  };
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let bytes = blockBytes; bytes >= 1024;) {
      // A block that does not fit any more is halved, until the disk is full to the last kibibyte.
      if (!tryWrite(descriptor, bytes)) bytes /= 2;
    }
  } finally {
    closeSync(descriptor);
  }
}

function tryWrite(descriptor: number, bytes: number): boolean {
  try {
    return writeSync(descriptor, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}
