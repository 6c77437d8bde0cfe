import { beforeAll, expect, test } from 'vitest';
import type { Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
let agentId: string;
beforeAll(async () => {
  api = await shareApi();
  const body = { name: 'Agent', model: 'demo', instructions: 'Help.' };
  agentId = (await api.call('POST', '/api/agents', { body })).data.agent.id;
});

async function openConversation(): Promise<string> {
  const body = { agentId, person: 'Ann' };
  return (await api.call('POST', '/api/conversations', { body })).data.conversation.id;
}

async function createToken(conversations?: string[]): Promise<string> {
  const body = { person: 'Ann', roles: ['editor'], ...(conversations && { conversations }) };
  const { data } = await api.call('POST', '/api/user-tokens', { body });
  return (data as unknown as { token: string }).token;
}

async function upload(token: string, text: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/plain' }), 'note.txt');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${api.url}/api/files`, { method: 'POST', headers, body: form });
  return ((await response.json()) as { data: { file: { id: string } } }).data.file.id;
}

async function list(token: string): Promise<string[]> {
  const { data } = await api.call('GET', '/api/files?limit=100', { key: token });
  return (data as unknown as { files: { id: string }[] }).files.map(({ id }) => id);
}

test('a token for some conversations sees and deletes files of these alone', async () => {
  const [first, second] = [await openConversation(), await openConversation()];
  const [whole, token, wide] = [
    await createToken(),
    await createToken([first]),
    await createToken([first, second]),
  ];
  const use = (id: string, file: string, key: string) =>
    api.call('POST', `/api/conversations/${id}/turns`, {
      ...{ key, body: { message: [{ type: 'file', fileId: file }], onBusy: 'enqueue' } },
    });
  const [secret, shown, ofWide, own] = [
    await upload(whole, 'Elsewhere.'),
    await upload(whole, 'Here.'),
    await upload(wide, 'In both.'),
    await upload(token, 'Mine.'),
  ];
  expect((await use(first, shown, whole)).status).toBe(202);
  expect((await use(second, secret, whole)).status).toBe(202);
  expect((await list(token)).sort()).toEqual([shown, own].sort());
  for (const id of [secret, ofWide]) {
    for (const path of [`/api/files/${id}`, `/api/files/${id}/content`, `/api/blobs/${id}`])
      expect((await api.call('GET', path, { key: token })).status, path).toBe(404);
    expect((await api.call('DELETE', `/api/files/${id}`, { key: token })).status).toBe(404);
    expect((await use(first, id, token)).status).toBe(400);
  }
  expect((await api.call('GET', `/api/files/${shown}`, { key: token })).status).toBe(200);
  expect((await api.call('DELETE', `/api/files/${shown}`, { key: token })).status).toBe(403);
  expect((await use(first, own, token)).status).toBe(202);
  expect((await api.call('DELETE', `/api/files/${own}`, { key: token })).status).toBe(200);
  expect((await list(whole)).sort()).toEqual([secret, shown, ofWide].sort());
});
