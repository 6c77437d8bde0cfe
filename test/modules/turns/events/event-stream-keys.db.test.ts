import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../../src/modules/workspaces/keys/api-key-repository.ts';
import { parseApiKeyText } from '../../../../src/modules/workspaces/keys/api-key-text.ts';
import { openConversation, startApi, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { openStream } from '../../../labs/sse-reader.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

test('a stream ends soon after its key was revoked, and the client is refused when it comes back', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const key = await api.createKey(api.workspaceId, ['conversations:read']);
  const path = `/api/conversations/${conversationId}/events`;
  const stream = await openStream({ ...api, key }, path);
  expect((await stream.next()).value?.data).toMatchObject({ turnId });
  const end = stream.next();
  await createApiKeyRepository(api.database.system).revokeApiKey(parseApiKeyText(key)?.id ?? '');

  expect((await end).done).toBe(true);
  expect((await api.call('GET', path, { key })).status).toBe(401);
});

test('a key that has as many streams as it may have is told so, and other keys are served', async () => {
  const limited = await startApi({}, { HOLDFAST_STREAMS_PER_KEY: '1' });
  try {
    const { conversationId } = await openConversation(limited);
    const turnId = await startTurn(limited, conversationId);
    const path = `/api/conversations/${conversationId}/events`;
    const first = await openStream(limited, path);
    expect((await first.next()).value?.data).toMatchObject({ turnId });
    for (const refused of [path, `/api/turns/${turnId}/events`]) {
      const { status, error } = await limited.call('GET', refused);
      expect([status, error.code]).toEqual([429, 'TOO_MANY_STREAMS']);
      expect(error.message).toContain('HOLDFAST_STREAMS_PER_KEY');
    }
    const key = await limited.createKey(limited.workspaceId, ['conversations:read']);
    const other = await openStream({ ...limited, key }, path);
    expect((await other.next()).value?.data).toMatchObject({ turnId });
    await Promise.all([first.return(undefined), other.return(undefined)]);
  } finally {
    await limited.stop();
  }
});

test('waiting requests count as streams, and the streams of all keys count for their workspace', async () => {
  const limits = { HOLDFAST_STREAMS_PER_KEY: '1', HOLDFAST_STREAMS_PER_WORKSPACE: '2' };
  const limited = await startApi({}, limits);
  try {
    const { conversationId } = await openConversation(limited);
    const path = `/api/conversations/${conversationId}`;
    const keys: string[] = [];
    for (let count = 0; count < 2; count += 1)
      keys.push(await limited.createKey(limited.workspaceId, ['conversations:read', 'conversations:write']));
    const wait = (options: { key?: string }) =>
      limited.call('POST', `${path}/turns?wait=true`, { ...options, body: { message: 'Hello.' } });

    const stream = await openStream({ ...limited, key: keys[0] ?? '' }, `${path}/events`);
    const { status, error } = await wait({ key: keys[0] ?? '' });
    expect([status, error.code]).toEqual([429, 'TOO_MANY_STREAMS']);
    expect((await limited.call('GET', `${path}/turns`)).data.turns).toEqual([]);

    const other = await openStream({ ...limited, key: keys[1] ?? '' }, `${path}/events`);
    const refused = await wait({});
    expect(refused).toMatchObject({ status: 429, error: { code: 'TOO_MANY_STREAMS' } });
    expect(refused.error.message).toContain('HOLDFAST_STREAMS_PER_WORKSPACE');
    await Promise.all([stream.return(undefined), other.return(undefined)]);
  } finally {
    await limited.stop();
  }
});
