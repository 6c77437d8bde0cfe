import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { createClientProject } from './client-project.ts';
import { listCommands, readPage } from './tool-pages.ts';

test('the examples of docs/structured-answers.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const page = readPage('docs/structured-answers.md');
  const scene = await lab.scene();
  const variables = {
    ...{ HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key },
    HOLDFAST_CONVERSATION: scene.conversationId,
  };

  scene.reply({ text: 'It is 12 degrees.' }, { text: '{"city": "Kiel", "degrees": 12}' });
  const [ask] = listCommands(page);
  const answered = JSON.parse(await runTyped(ask?.command ?? '', { variables })) as {
    data: { turn: TurnDetails };
  };
  expect(answered.data.turn).toMatchObject({ answerJson: { city: 'Kiel', degrees: 12 }, iterations: 2 });

  const folder = createClientProject();
  for (const { file, text } of page.blocks)
    if (file !== undefined) writeFileSync(path.join(folder, file), text);
  scene.reply({ text: '```json\n{"city": "Kiel", "degrees": 13}\n```' });
  await using typed = typeCommand(`'${process.execPath}' ask.ts`, { cwd: folder, variables });
  expect(await typed.ended, typed.output()).toBe(0);
  expect(typed.output()).toContain('Kiel: 13 degrees');
});
