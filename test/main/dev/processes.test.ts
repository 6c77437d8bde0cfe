import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { stopLeftovers } from '../../../src/main/dev/process-notes.ts';
import { describeEnding, readLogTail, startProcess } from '../../../src/main/dev/processes.ts';
import { waitForMessage } from '../../../src/main/dev/wait-for-ready.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const environment = { PATH: process.env['PATH'] };

function startNode(program: string, more: Partial<Parameters<typeof startProcess>[0]> = {}) {
  return startProcess({
    name: 'sample',
    file: process.execPath,
    arguments: ['-e', program],
    environment,
    output: { line: () => undefined },
    ...more,
  });
}

it('the output of a process is read line by line', async () => {
  const lines: string[] = [];
  const managed = await startNode('console.log("one"); console.error("two")', {
    output: { line: (line) => lines.push(line) },
  });
  await new Promise((resolve) => managed.child.once('close', resolve));
  expect(lines.sort()).toEqual(['one', 'two']);
});

it('the log file of a process can be read by its owner only', async () => {
  const logFile = path.join(createTemporaryFolder(), 'logs', 'sample.log');
  const managed = await startNode('console.log("one"); process.exit(3)', { output: { logFile } });
  expect(describeEnding(await managed.exited)).toBe('code 3');
  expect(readLogTail(logFile)).toBe('one');
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
});

it('the error for a program that cannot be started names it', async () => {
  await expect(startNode('', { file: '/nowhere/program' })).rejects.toThrow('Cannot start sample');
});

it('a process is stopped with SIGTERM, and with SIGKILL when it ignores that', async () => {
  const ready = 'process.send({ type: "ready" }); setInterval(() => {}, 1000);';
  const polite = await startNode(`process.on("SIGTERM", () => process.exit(0)); ${ready}`, {
    messages: true,
  });
  const stubborn = await startNode(`process.on("SIGTERM", () => {}); ${ready}`, { messages: true });
  await Promise.all([waitForMessage(polite), waitForMessage(stubborn)]);
  expect(await polite.stop()).toEqual({ code: 0, signal: null });
  expect(await stubborn.stop({ graceMs: 50 })).toEqual({ code: null, signal: 'SIGKILL' });
});

it('an error is thrown when a process exits before it is ready', async () => {
  const managed = await startNode('process.exit(7)', { messages: true });
  await expect(waitForMessage(managed)).rejects.toThrow('sample ended with code 7 while it started.');
});

it('running processes are recorded, so that a later start can stop them', async () => {
  const noteFolder = path.join(createTemporaryFolder(), 'processes');
  const managed = await startNode('setInterval(() => {}, 1000)', { noteFolder });
  expect(readdirSync(noteFolder)).toEqual(['sample']);
  const lines: string[] = [];
  await stopLeftovers(noteFolder, (line) => lines.push(line));
  expect(managed.ending() ?? (await managed.exited)).toEqual({ code: null, signal: 'SIGTERM' });
  expect(existsSync(path.join(noteFolder, 'sample'))).toBe(false);
  expect(lines).toEqual([`Stopping sample (process ${managed.pid}), which an earlier start left behind …`]);
});
