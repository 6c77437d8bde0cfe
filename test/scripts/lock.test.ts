import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { identifyProcess, isSameProcess, takeLock, withLock } from '../../scripts/lock.mjs';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

it('gives a lock to one at a time', async () => {
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

it('tells who holds a lock', () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  const { release } = takeLock(lock);
  expect(takeLock(lock)).toEqual({ owner: process.pid });
  release?.();
});

it('takes a lock over from a process that is gone', async () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  const program = `import('${path.resolve('scripts/lock.mjs')}').then(({ takeLock }) => takeLock('${lock}'))`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
  expect(takeLock(lock).owner).toBeUndefined();
});

it('takes a lock over when the process id of its owner has gone to another program', () => {
  const lock = path.join(createTemporaryFolder(), 'lock');
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'owner'), `${process.pid} before`);
  expect(takeLock(lock).owner).toBeUndefined();
});

it('knows a process again as long as it lives', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid ?? 0);
  expect(isSameProcess(identity)).toBe(true);
  child.kill();
  await once(child, 'exit');
  expect(isSameProcess(identity)).toBe(false);
});
