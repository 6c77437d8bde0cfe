import path from 'node:path';
import { expect, test } from 'vitest';
import { openConversation, startTurn } from '../labs/api-lab.ts';
import { shareApi } from '../labs/shared-api.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

/** The program of the checkout in place of the package. */
const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;

test('the requests and commands of docs/conversations.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const api = await shareApi();
  stack.defer(api.stop);
  const { agentId } = await openConversation(api);
  const variables = { HOLDFAST_API_KEY: api.key, HOLDFAST_URL: api.url, AGENT_ID: agentId };
  const run = (command: string) =>
    runTyped(command.replaceAll('npx holdfast', program).replaceAll('curl ', 'curl --silent '), {
      variables,
    });
  const [open = '', find = '', ...inTerminal] = listCommands(readPage('docs/conversations.md')).map(
    ({ command }) => command,
  );

  const opened = JSON.parse(await run(open)) as { data: { conversation: { id: string } } };
  const { id } = opened.data.conversation;
  expect(opened).toMatchObject({
    data: { conversation: { externalId: 'customer-42', person: 'ann', tags: ['vip'] } },
  });
  expect(JSON.parse(await run(open))).toEqual(opened);

  const turnId = await startTurn(api, id);
  await api.database
    .system('turns')
    .where({ id: turnId })
    .update({
      ...{
        started_by: JSON.stringify({ apiKeyId: null, actingFor: 'Ann' }),
        created_at: '2026-11-26T12:00:00Z',
      },
      ...{ status: 'failed', answer: 'The turn failed.', settled_at: new Date() },
    });
  expect(JSON.parse(await run(find))).toMatchObject({ data: { turns: [{ id: turnId }], nextCursor: null } });
  const printed = (await Promise.all(inTerminal.map(run))).join('\n');
  expect(printed).toContain(`${turnId}  2026-11-26T12:00:00.000Z  failed`);
  expect(printed).toContain(`customer-42  ann  vip`);
});
