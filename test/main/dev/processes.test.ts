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
    output: { say: () => undefined },
    ...more,
  });
}

it('prints what a process writes line by line under its name', async () => {
  const lines: string[] = [];
  const managed = await startNode('console.log("one"); console.error("two")', {
    output: { say: (line) => lines.push(line) },
  });
  await new Promise((resolve) => managed.child.once('close', resolve));
  expect(lines.sort()).toEqual(['sample | one', 'sample | two']);
});

it('writes to a log file that only its owner can read', async () => {
  const logFile = path.join(createTemporaryFolder(), 'logs', 'sample.log');
  const managed = await startNode('console.log("one"); process.exit(3)', { output: { logFile } });
  expect(describeEnding(await managed.exited)).toBe('code 3');
  expect(readLogTail(logFile)).toBe('one');
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
});

it('says which program cannot be started', async () => {
  await expect(startNode('', { file: '/nowhere/program' })).rejects.toThrow('Cannot start sample');
});

it('stops a process kindly, and one that does not listen with SIGKILL', async () => {
  const ready = 'process.send({ type: "ready" }); setInterval(() => {}, 1000);';
  const polite = await startNode(`process.on("SIGTERM", () => process.exit(0)); ${ready}`, {
    messages: true,
  });
  const stubborn = await startNode(`process.on("SIGTERM", () => {}); ${ready}`, { messages: true });
  await Promise.all([waitForMessage(polite), waitForMessage(stubborn)]);
  expect(await polite.stop()).toEqual({ code: 0, signal: null });
  expect(await stubborn.stop({ graceMs: 50 })).toEqual({ code: null, signal: 'SIGKILL' });
});

it('tells when a process ends before it is ready', async () => {
  const managed = await startNode('process.exit(7)', { messages: true });
  await expect(waitForMessage(managed)).rejects.toThrow('sample ended with code 7 while it started.');
});

it('notes which processes run, so that a later start can stop them', async () => {
  const noteFolder = path.join(createTemporaryFolder(), 'processes');
  const managed = await startNode('setInterval(() => {}, 1000)', { noteFolder });
  expect(readdirSync(noteFolder)).toEqual(['sample']);
  const lines: string[] = [];
  await stopLeftovers(noteFolder, (line) => lines.push(line));
  expect(managed.ending() ?? (await managed.exited)).toEqual({ code: null, signal: 'SIGTERM' });
  expect(existsSync(path.join(noteFolder, 'sample'))).toBe(false);
  expect(lines).toEqual([`Stopping sample (process ${managed.pid}), which an earlier start left behind …`]);
});
