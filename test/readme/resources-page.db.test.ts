import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createSentMessageRepository } from '../../src/modules/inbox/sent-message-repository.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { resourceKinds } from '../../src/modules/resources/resource-kinds.ts';
import { type Api } from '../labs/api-lab.ts';
import { shareApi } from '../labs/shared-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/resources.md');

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

test('the requests of docs/resources.md work in the order in which they are written', async () => {
  const from = { agentId: newId(), agentName: 'Agent', turnId: newId(), conversationId: newId() };
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    createSentMessageRepository(trx).addToInbox({
      id: newId(),
      person: 'ann',
      subject: null,
      text: 'Hello.',
      from,
    }),
  );
  const answers = [];
  for (const { command } of listCommands(page)) {
    const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
    answers.push(JSON.parse(await runTyped(command, { variables })) as unknown);
  }
  expect(answers).toMatchObject([
    { data: { resource: { kind: 'note', name: 'Refunds' } } },
    { data: { resources: [{ name: 'Refunds' }] } },
    { data: { resource: { kind: 'memory', name: 'Ann prefers short answers.' } } },
    { data: { resources: [{ name: 'Ann prefers short answers.' }] } },
    { data: { messages: [{ text: 'Hello.' }] } },
  ]);
});

test('the program of docs/resources.md works as it is written', async () => {
  const folder = createTemporaryFolder();
  const program = page.blocks.find(({ file }) => file === 'resources.ts')?.text ?? '';
  // The client of the checkout in place of the package.
  const text = program.replace('holdfast/client', path.resolve('src/clients/client/index.ts'));
  writeFileSync(path.join(folder, 'resources.ts'), text);
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const printed = await runTyped(`'${process.execPath}' resources.ts`, { cwd: folder, variables });
  expect(printed.trim()).toBe('2 Answer {{customer}} in one sentence.');
});

test('docs/resources.md names every kind', () => {
  const rows = [...readFileSync('docs/resources.md', 'utf8').matchAll(/^\| `([a-z_]+)`/gm)].map(
    ([, name]) => name,
  );
  expect(rows.slice(0, resourceKinds.length)).toEqual(resourceKinds.map(({ kind }) => kind));
});
