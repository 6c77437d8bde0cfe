import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadProviders } from '../../../src/engines/providers/registry.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const registry = await loadProviders();

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

test('a file in the folder is loaded as a provider, compiled or not', async () => {
  const folder = createTemporaryFolder();
  await writeFile(path.join(folder, 'b.js'), compiled('b', 'Bee'));
  await writeFile(path.join(folder, 'a.js'), compiled('a', 'Zebra'));
  await writeFile(path.join(folder, 'a.d.ts'), 'export {};');
  await writeFile(path.join(folder, 'a.js.map'), '{}');
  const loaded = await loadProviders(folder, '.js');
  expect(loaded.listProviders().map(({ name }) => name)).toEqual(['b', 'a']);
  expect(loaded.listTools('a').map(({ name }) => name)).toEqual(['a_listThings']);
});

test('a file whose provider has another name stops the start with an error', async () => {
  const folder = createTemporaryFolder();
  await writeFile(path.join(folder, 'a.js'), compiled('other', 'Other'));
  await expect(loadProviders(folder, '.js')).rejects.toThrow(
    'a.js must export one provider, with the name "a".',
  );
});

test('an operation is found by the name of its tool and by its own name', () => {
  expect(registry.findEntry('slack')?.findOperation('slack_sendMessage')?.name).toBe('sendMessage');
  expect(registry.findEntry('slack')?.findOperation('sendMessage')?.name).toBe('sendMessage');
  expect(registry.findEntry('google-calendar')?.findOperation('google-calendar_listEvents')?.name).toBe(
    'listEvents',
  );
  expect(registry.findEntry('slack')?.findOperation('github_listIssues')).toBeUndefined();
  expect(registry.findEntry('slack')?.findOperation('toString')).toBeUndefined();
  expect(registry.findEntry('nobody')).toBeUndefined();
});

test('the effect of a tool is that of its operation, and unsafe when the operation is unknown', () => {
  expect(registry.effectOf('slack', 'slack_listChannels')).toBe('read_only');
  expect(registry.effectOf('slack', 'slack_sendMessage')).toBe('unsafe');
  expect(registry.effectOf('slack', 'slack_nothing')).toBe('unsafe');
});

test('providers are found by words and by category', () => {
  const names = (filter: Parameters<typeof registry.listProviders>[0]) =>
    registry.listProviders(filter).map(({ name }) => name);
  expect(names({ search: 'CALENDAR' })).toEqual(['google-calendar']);
  expect(names({ search: 'sendmessage slack' })).toEqual(['slack']);
  expect(names({ search: ' issues  repositories ' })).toEqual(['github']);
  expect(names({ category: 'search' })).toEqual(['brave-search']);
  expect(names({ category: 'search', search: 'slack' })).toEqual([]);
  expect(names({ search: '' })).toEqual(names({}));
});

test('a schema has a format without the pattern of the same meaning', () => {
  const tool = registry.listTools('google-calendar').find(({ executeRef }) => executeRef === 'listEvents');
  expect(tool?.inputSchema).toMatchObject({
    properties: { timeMin: { type: 'string', format: 'date-time' }, calendarId: { default: 'primary' } },
  });
  expect(JSON.stringify(tool)).not.toContain('pattern');
  expect(tool?.inputSchema.required).toBeUndefined();
});
