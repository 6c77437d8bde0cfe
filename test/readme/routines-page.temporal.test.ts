import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

test('the document and the commands of docs/routines.md store a routine and run it to its end', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{ name: 'Clerk', model: 'demo', instructions: 'Calculate.' },
    tools: ['calculate', 'ask_user'].map((name) => ({ type: 'function', name })),
  });
  const cwd = createTemporaryFolder();
  const page = readPage('docs/routines.md');
  for (const { file, text } of page.blocks) if (file !== undefined) writeFileSync(path.join(cwd, file), text);
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const type = async (command: string, more: Record<string, string>) => {
    const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, ...more };
    await using typed = typeCommand(command, { cwd, variables });
    expect(await typed.ended, typed.output()).toBe(0);
    return typed.output();
  };
  const commands = listCommands(page).flatMap(({ command }) => command.split('\n'));
  const [create = '', run = ''] = commands.map((command) => command.replace('npx holdfast', program));

  const [, id = ''] = /Routine (\S+) has version 1/.exec(await type(create, { AGENT_ID: agent.id })) ?? [];
  const shown = await type(run, { ROUTINE_ID: id });

  expect(shown).toMatch(/quote 1 {2}completed$/m);
  expect(shown).toContain('output: {"net":100,"total":120}');
});
