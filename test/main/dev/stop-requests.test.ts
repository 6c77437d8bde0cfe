import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';

const program = path.resolve('test/main/dev/programs/stopping.ts');

it('a program stops when the one that started it with a message channel ends', async () => {
  const child = fork(program, { silent: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'message');
  // The event `close` does not come after this process has closed the channel.
  const [exited, printed] = [once(child, 'exit'), once(child.stdout as Readable, 'end')];
  child.disconnect();
  await Promise.all([exited, printed]);
  expect({ code: child.exitCode, output }).toEqual({
    code: 0,
    output: 'The program that started this one has ended.\n',
  });
});
