import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { identifyProcess, isSameProcess, takeLock, withLock } from '../../scripts/lock.mjs';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

it('a lock is held by one process at a time', async () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  const order: string[] = [];
  const first = withLock(lock, 'The first works', async () => {
    order.push('first in');
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push('first out');
  });
  const second = withLock(lock, 'The first works', () => order.push('second in'));
  await Promise.all([first, second]);
  expect(order).toEqual(['first in', 'first out', 'second in']);
});

it('a lock that processes take one after the other, many times, never belongs to two', async () => {
  const folder = createTemporaryFolder();
  const count = path.join(folder, 'count');
  writeFileSync(count, '0');
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { takeLock } from '${path.resolve('scripts/lock.mjs')}';
    for (let taken = 0; taken < 300; ) {
      const { release } = takeLock('${path.join(folder, 'lock')}');
      if (!release) continue;
      writeFileSync('${count}', String(Number(readFileSync('${count}', 'utf8')) + 1));
      release();
      taken += 1;
    }`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  await Promise.all([start(), start(), start()]);
  expect(readFileSync(count, 'utf8')).toBe('900');
});

it('the holder of a lock is reported', () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  const { release } = takeLock(lock);
  expect(takeLock(lock)).toEqual({ owner: process.pid });
  release?.();
});

it('a lock is taken over when its process no longer runs', async () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  const program = `import('${path.resolve('scripts/lock.mjs')}').then(({ takeLock }) => takeLock('${lock}'))`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
  expect(takeLock(lock).owner).toBeUndefined();
});

it('a lock is taken over when the process id of its holder belongs to another program', () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'owner'), `${process.pid} before`);
  expect(takeLock(lock).owner).toBeUndefined();
});

it('the identity of a running process stays the same', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid ?? 0);
  expect(isSameProcess(identity)).toBe(true);
  child.kill();
  await once(child, 'exit');
  expect(isSameProcess(identity)).toBe(false);
});
