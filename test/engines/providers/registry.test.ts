import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openProviders } from '../../../src/engines/providers/registry.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const registry = await openProviders();

/** A provider as it is compiled: the same record in JavaScript. */
function compiled(name: string, title: string): string {
  const zod = import.meta.resolve('zod');
  return `import { z } from '${zod}';
export const provider = {
  name: '${name}', title: '${title}', description: 'Does things.', category: 'support', baseUrl: 'https://a.example',
  auth: { types: ['bearer'] }, verify: { request: 'GET /me' }, readError: () => null,
  operations: { listThings: {
    description: 'List things.', input: z.strictObject({}), request: 'GET /things', effect: 'read_only' } },
};`;
}

test('a file in the folder is a provider, compiled or not', async () => {
  const folder = createTemporaryFolder();
  await writeFile(path.join(folder, 'b.js'), compiled('b', 'Bee'));
  await writeFile(path.join(folder, 'a.js'), compiled('a', 'Zebra'));
  await writeFile(path.join(folder, 'a.d.ts'), 'export {};');
  await writeFile(path.join(folder, 'a.js.map'), '{}');
  const opened = await openProviders(folder, '.js');
  expect([...opened.names].sort()).toEqual(['a', 'b']);
  expect((await opened.listProviders()).map(({ name }) => name)).toEqual(['b', 'a']);
  expect((await opened.findEntry('a'))?.tools.map(({ name }) => name)).toEqual(['a_listThings']);
});

test('a record is read when its provider is needed, and no other with it', async () => {
  const folder = createTemporaryFolder();
  await writeFile(path.join(folder, 'good.js'), compiled('good', 'Good'));
  await writeFile(path.join(folder, 'bad.js'), compiled('other', 'Other'));
  const opened = await openProviders(folder, '.js');
  expect((await opened.findEntry('good'))?.provider.title).toBe('Good');
  const refusal = 'bad.js must export one provider, with the name "bad".';
  await expect(opened.findEntry('bad')).rejects.toThrow(refusal);
  await expect(opened.listProviders()).rejects.toThrow(refusal);
});

test('an operation is found by the name of its tool and by its own name', async () => {
  const slack = await registry.findEntry('slack');
  expect(slack?.findOperation('slack_sendMessage')?.name).toBe('sendMessage');
  expect(slack?.findOperation('sendMessage')?.name).toBe('sendMessage');
  const calendar = await registry.findEntry('google-calendar');
  expect(calendar?.findOperation('google-calendar_listEvents')?.name).toBe('listEvents');
  expect(slack?.findOperation('github_listIssues')).toBeUndefined();
  expect(slack?.findOperation('toString')).toBeUndefined();
  expect(await registry.findEntry('nobody')).toBeUndefined();
});

test('the effect of a tool is that of its operation, and unsafe when the operation is unknown', async () => {
  const slack = await registry.findEntry('slack');
  expect(slack?.effectOf('slack_listChannels')).toBe('read_only');
  expect(slack?.effectOf('slack_sendMessage')).toBe('unsafe');
  expect(slack?.effectOf('slack_nothing')).toBe('unsafe');
});

test('providers are found by words and by category', async () => {
  const list = async (filter: Parameters<typeof registry.listProviders>[0]) =>
    (await registry.listProviders(filter)).map(({ name }) => name);
  expect(await list({ search: 'CALENDAR' })).toEqual(['google-calendar']);
  expect(await list({ search: 'sendmessage slack' })).toEqual(['slack']);
  expect(await list({ search: ' issues  repositories ' })).toEqual(['github']);
  expect(await list({ category: 'search' })).toEqual(['brave-search']);
  expect(await list({ category: 'search', search: 'slack' })).toEqual([]);
  expect(await list({ search: '' })).toEqual(await list({}));
});

test('a schema has a format without the pattern of the same meaning', async () => {
  const entry = await registry.findEntry('google-calendar');
  const tool = entry?.tools.find(({ executeRef }) => executeRef === 'listEvents');
  expect(tool?.inputSchema).toMatchObject({
    properties: { timeMin: { type: 'string', format: 'date-time' }, calendarId: { default: 'primary' } },
  });
  expect(JSON.stringify(tool)).not.toContain('pattern');
  expect(tool?.inputSchema.required).toBeUndefined();
});
