import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { buildConsole } from '../../scripts/build-console/build-console.ts';
import type { Agent } from '../../src/domain/agent.ts';
import { createDemoAgent } from '../../src/main/dev/demo-agent.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

interface CiWorkflow {
  jobs: { replay: { steps: { run?: string }[] } };
}

/** The lines that a pipeline of the page runs, but for those that install packages. */
function listPipelineCommands(text: string): string[] {
  const { steps } = (parse(text) as CiWorkflow).jobs.replay;
  return steps.flatMap(({ run }) => (run === undefined || run.startsWith('npm ') ? [] : [run]));
}

test('the commands of docs/replays.md lead from a recording to a failing pull request', async () => {
  await using stack = new AsyncDisposableStack();
  const [lab] = await Promise.all([shareTurnLab(), buildConsole()]);
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { name, tools, instructions, model } = createDemoAgent('demo');
  const calculate = tools.filter((tool) => tool.name === 'calculate');
  await api.ask<{ agent: Agent }>('POST', '/api/agents', { name, model, instructions, tools: calculate });
  const cwd = createTemporaryFolder();
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }');
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const summary = path.join(cwd, 'summary.md');
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, GITHUB_STEP_SUMMARY: summary };
  const page = readPage('docs/replays.md');
  const [agentFile, pipeline] = page.blocks.filter(({ file }) => file !== undefined);
  mkdirSync(path.join(cwd, 'agents'));
  writeFileSync(path.join(cwd, agentFile?.file ?? ''), agentFile?.text ?? '');

  const listed = listCommands(page);
  const piped = listPipelineCommands(pipeline?.text ?? '').map((command) => ({
    command,
    printed: undefined,
  }));
  const commands = [...listed, ...piped];
  expect([listed.length, piped.length]).toEqual([6, 2]);
  const outputs: string[] = [];
  const codes: (number | null)[] = [];
  for (const { command } of commands) {
    await using typed = typeCommand(command.replace('npx holdfast', program), { cwd, variables });
    codes.push(await typed.ended);
    outputs.push(typed.output());
  }

  expect(codes, outputs.join('\n')).toEqual([0, 0, 0, 0, 1, 0, 0, 0]);
  expect(outputs[0]).toContain('42');
  expect(outputs[1]).toContain('1 of 1 run of the candidate passed');
  expect(outputs[3]).toContain('0 connections opened, 0 credentials decrypted');
  expect(outputs[3]).toContain('Wrote report.html.');
  expect(outputs[4]).toContain(commands[4]?.printed);
  expect(outputs[5]).toContain('0 connections opened, 0 credentials decrypted');
  expect(readFileSync(summary, 'utf8')).toContain('### Replay');
});
