import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findRunning, isAlive } from '../../../src/main/running.ts';
import { runTyped, typeCommand } from '../../labs/typed-command.ts';
import { readPage } from '../../readme/tool-pages.ts';

/** What came of the commands in the README of a created project. */
interface TriedProject {
  /** The output of its test. */
  tested: string;
  /** The answer of its agent over HTTP. */
  answer: string;
  /** The names of the processes that ran, and of those that were left after Ctrl-C. */
  ran: string[];
  left: string[];
}

/**
 * Checks the types of a created project, runs its test, starts it, asks its agent with the program of its README, and
 * stops it. @throws Error with the output of a command that fails
 */
export async function tryProject(folder: string, variables: NodeJS.ProcessEnv = {}): Promise<TriedProject> {
  const { text = '' } =
    readPage(path.join(folder, 'README.md')).blocks.find(({ file }) => file === 'ask.ts') ?? {};
  const asking = { cwd: folder, variables };
  // The program of the README is checked like the files of the project.
  writeFileSync(path.join(folder, 'test', 'ask.ts'), text);
  await runTyped('npm run check', asking);
  rmSync(path.join(folder, 'test', 'ask.ts'));
  // "node --test" without a pattern takes it for a test.
  writeFileSync(path.join(folder, 'refund-test.mjs'), "throw new Error('The script was run.');");
  const tested = await runTyped('npm test', asking);
  await using start = typeCommand('npm start', { cwd: folder, variables: { ...variables, PORT: '0' } });
  await start.printed('Pushed Support: version 1.');
  const running = findRunning(path.join(folder, '.holdfast'));
  writeFileSync(path.join(folder, 'ask.ts'), text);
  const answer = await runTyped('. .holdfast/env && node ask.ts', asking);
  const pids = Object.entries(running?.pids ?? {}).flatMap(([name, pid]) =>
    pid === undefined ? [] : [{ name, pid }],
  );
  start.pressCtrlC();
  await start.ended;
  return {
    ...{ tested, answer },
    ran: pids.map(({ name }) => name),
    left: pids.flatMap(({ name, pid }) => (isAlive(pid) ? [name] : [])),
  };
}
