import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { shareApi } from '../labs/shared-api.ts';
import { createShop, holdConversation } from '../labs/recording-scene.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/recordings.md');

/** The program of the checkout in place of the package. */
const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;

const asked = { role: 'user', content: 'Hello', parts: [{ type: 'text', text: 'Hello' }] };
const answered = { role: 'assistant', content: 'Hi.', parts: [{ type: 'text', text: 'Hi.' }] };
const observation = {
  id: 'o',
  traceId: 't',
  type: 'GENERATION',
  startTime: '2026-11-01T12:00:00Z',
  model: 'gpt-5',
};

/** Files of other programs, by the names that the page gives them. */
const files = {
  'chats.jsonl': { messages: [asked, answered] },
  'messages.json': [asked, answered],
  'observations.jsonl': { ...observation, input: [asked], output: answered },
};

test('the commands and files of docs/recordings.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const api = await shareApi();
  stack.defer(api.stop);
  const agentId = await createShop(api);
  const turns = [{ message: 'My name is Zoe. Write to zoe@example.com about ORD-123456.' }];
  await holdConversation(api, { agentId, turns, tags: ['vip'] });
  const cwd = createTemporaryFolder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(cwd, name), JSON.stringify(content));
  for (const { file, text } of page.blocks) if (file !== undefined) writeFileSync(path.join(cwd, file), text);

  const variables = { HOLDFAST_API_KEY: api.key, HOLDFAST_URL: api.url };
  const printed: string[] = [];
  for (const { command } of listCommands(page)) {
    const typed = command.replaceAll('npx holdfast', program);
    printed.push(await runTyped(typed, { cwd, variables }));
  }

  const all = printed.join('\n');
  expect(all.match(/^1 turn exported/gm)).toHaveLength(2);
  expect(all).toMatch(/^5 turns exported, \d+ values masked\.$/m);
  expect(all.match(/^1 turn imported/gm)).toHaveLength(4);
  const masked = readFileSync(path.join(cwd, 'masked.jsonl'), 'utf8');
  expect(masked).toContain('My name is <person-1>. Write to <email-1> about <order-1>.');
  expect(readFileSync(path.join(cwd, 'vip.jsonl'), 'utf8')).toContain('zoe@example.com');
});
