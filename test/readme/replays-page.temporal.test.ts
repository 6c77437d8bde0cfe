import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { createDemoAgent } from '../../src/main/dev/demo-agent.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

test('the commands of docs/replays.md lead from a recording to a failing pull request', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { name, tools, instructions, model } = createDemoAgent('demo');
  const calculate = tools.filter((tool) => tool.name === 'calculate');
  await api.ask<{ agent: Agent }>('POST', '/api/agents', { name, model, instructions, tools: calculate });
  const cwd = createTemporaryFolder();
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };

  const commands = listCommands(readPage('docs/replays.md'));
  expect(commands).toHaveLength(5);
  const outputs: string[] = [];
  const codes: (number | null)[] = [];
  for (const { command } of commands) {
    await using typed = typeCommand(command.replace('npx holdfast', program), { cwd, variables });
    codes.push(await typed.ended);
    outputs.push(typed.output());
  }

  expect(codes, outputs.join('\n')).toEqual([0, 0, 0, 0, 1]);
  expect(outputs[0]).toContain('42');
  expect(outputs[1]).toContain('1 of 1 run of the candidate passed');
  expect(outputs[3]).toContain('0 connections opened, 0 credentials decrypted');
  expect(outputs[3]).toContain('Wrote report.html.');
  expect(outputs[4]).toContain(commands[4]?.printed);
});
