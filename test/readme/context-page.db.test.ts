import path from 'node:path';
import { expect, test } from 'vitest';
import { shareApi } from '../labs/shared-api.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

/** The program of the checkout in place of the package. */
const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;

test('the requests and the command of docs/context.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const api = await shareApi();
  stack.defer(api.stop);
  const [create = '', show = '', print = ''] = listCommands(readPage('docs/context.md')).map(({ command }) =>
    command.replaceAll('npx holdfast', program).replaceAll('curl ', 'curl --silent '),
  );
  const variables = { HOLDFAST_API_KEY: api.key, HOLDFAST_URL: api.url };
  const { data } = JSON.parse(await runTyped(create, { variables })) as { data: { agent: { id: string } } };
  expect(data.agent).toMatchObject({
    compaction: 'summarize',
    compactionThreshold: 50_000,
    summaryModel: null,
  });
  const { data: made } = await api.call('POST', '/api/conversations', { body: { agentId: data.agent.id } });
  const HOLDFAST_CONVERSATION = (made.conversation as { id: string }).id;
  const shown = JSON.parse(
    await runTyped(show, { variables: { ...variables, HOLDFAST_CONVERSATION } }),
  ) as object;

  expect(shown).toMatchObject({
    data: { context: { instructions: 'Help.', messages: [], compaction: 'summarize', threshold: 50_000 } },
  });
  const printed = await runTyped(print, { variables: { ...variables, HOLDFAST_CONVERSATION } });
  expect(printed).toContain('of 50000 tokens  summarize\nTools: none\n');
});
