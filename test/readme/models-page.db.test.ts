import { expect, test } from 'vitest';
import { shareApi } from '../labs/shared-api.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

interface Answered<Data> {
  data: Data;
}
interface AnsweredAgent {
  agent: { id: string; model: string; fallbackModels: object[]; modelSettings: object; warnings: object[] };
}

test('the requests of docs/models.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const api = await shareApi();
  stack.defer(api.stop);
  const commands = listCommands(readPage('docs/models.md')).map(({ command }) =>
    command.replaceAll('curl ', 'curl --silent '),
  );
  const [list = '', create = '', change = '', figures = ''] = commands;
  expect(commands).toHaveLength(4);
  const run = async <Data>(command: string, variables: Record<string, string> = {}) => {
    const all = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key, ...variables };
    return (JSON.parse(await runTyped(command, { variables: all })) as Answered<Data>).data;
  };
  const { models } = await run<{ models: { name: string; configured: boolean }[] }>(list);
  const { agent } = await run<AnsweredAgent>(create);
  const { agent: changed } = await run<AnsweredAgent>(change, { AGENT: agent.id });

  expect(models).toMatchObject([{ name: 'demo', configured: true }]);
  expect(agent).toMatchObject({
    model: 'anthropic/claude-sonnet-5',
    fallbackModels: [{ model: 'openai/gpt-5.4', modelConnectionId: null }],
  });
  expect(agent.warnings).toHaveLength(2);
  expect(await run(figures)).toMatchObject({ models: [] });
  expect(changed.modelSettings).toEqual({ reasoningEffort: 'low', maxOutputTokens: 2000 });
});
