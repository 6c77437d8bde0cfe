import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createHoldfastClient, type HoldfastClientOptions } from '../../../src/clients/client/index.ts';
import { createTemporalTurns } from '../../../src/clients/temporal-client/index.ts';
import {
  answerWith,
  dropSocket,
  failWith,
  quickRetry,
  startScriptedApi,
  streamFrames,
} from '../../servers/scripted-api.ts';
import { agentId, conversationId, turnId } from '../../servers/scripted-events.ts';

const agent = { id: agentId, name: 'Demo', model: 'demo' };
const newAgent = { name: 'Demo', model: 'demo', instructions: 'Be brief.' };

describe('the client', () => {
  it('creates, reads, updates, lists and deletes agents', async () => {
    const api = await startScriptedApi({
      'POST /api/agents': answerWith({ agent }, 201),
      [`GET /api/agents/${agentId}`]: answerWith({ agent }),
      [`PATCH /api/agents/${agentId}`]: answerWith({ agent }),
      [`DELETE /api/agents/${agentId}`]: (response) => void response.writeHead(204).end(),
      'GET /api/agents': answerWith({ agents: [agent], nextCursor: null }),
    });
    const { agents } = createHoldfastClient(api);
    await expect(agents.create(newAgent)).resolves.toEqual(agent);
    await expect(agents.get(agentId)).resolves.toEqual(agent);
    await expect(agents.update(agentId, { model: 'openai/any' })).resolves.toEqual(agent);
    await expect(agents.list()).resolves.toEqual({ items: [agent], nextCursor: null });
    await agents.delete(agentId);
    expect(api.requests.map(({ body }) => body)).toEqual([
      newAgent,
      undefined,
      { model: 'openai/any' },
      undefined,
      undefined,
    ]);
  });

  it('opens, reads and lists conversations and their messages', async () => {
    const conversation = { id: conversationId, agentId, title: null };
    const api = await startScriptedApi({
      'POST /api/conversations': answerWith({ conversation }, 201),
      'GET /api/conversations': answerWith({ conversations: [conversation], nextCursor: null }),
      [`GET /api/conversations/${conversationId}`]: answerWith({ conversation }),
      [`GET /api/conversations/${conversationId}/messages`]: answerWith({ messages: [], nextCursor: null }),
    });
    const { conversations } = createHoldfastClient(api);
    await expect(conversations.create({ agentId })).resolves.toEqual(conversation);
    await expect(conversations.get(conversationId)).resolves.toEqual(conversation);
    await expect(conversations.list()).resolves.toEqual({ items: [conversation], nextCursor: null });
    await expect(conversations.messages(conversationId)).resolves.toEqual({ items: [], nextCursor: null });
  });

  it('repeats a read but never a create when the connection was lost', async () => {
    const api = await startScriptedApi({
      'GET /api/agents': [dropSocket(), answerWith({ agents: [], nextCursor: null })],
      'POST /api/agents': dropSocket(),
    });
    const { agents } = createHoldfastClient({ ...api, retry: quickRetry });
    await agents.list();
    await expect(agents.create(newAgent)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(api.to('GET /api/agents')).toHaveLength(2);
    expect(api.to('POST /api/agents')).toHaveLength(1);
  });

  it('passes on the fields that were invalid', async () => {
    const details = [{ field: 'name', message: 'expected at least 1 character' }];
    const api = await startScriptedApi({
      'POST /api/agents': failWith(400, { code: 'INVALID_INPUT', message: 'Wrong input.', details }),
    });
    const creating = createHoldfastClient(api).agents.create({ ...newAgent, name: '' });
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400, details });
  });

  it('ends a stream, a wait and the pause before a retry with the reason of its signal', async () => {
    const api = await startScriptedApi({
      'GET /api/agents': dropSocket(),
      [`GET /api/turns/${turnId}`]: answerWith({ turn: { id: turnId, outcome: null } }),
      [`GET /api/turns/${turnId}/events`]: streamFrames([], 'silence'),
      [`GET /api/conversations/${conversationId}/events`]: dropSocket(),
    });
    const ending = new AbortController();
    const retry = { delayMs: 3_600_000 };
    const client = createHoldfastClient({ ...api, retry, signal: ending.signal });
    const pausing = Promise.withResolvers<undefined>();
    const onReconnect = () => pausing.resolve(undefined);
    const follow = client.turns.stream({ conversationId }, { onReconnect })[Symbol.asyncIterator]();
    const pending = Promise.allSettled([client.agents.list(), client.turns.wait(turnId), follow.next()]);
    await pausing.promise;
    const reason = new Error('The test is over.');
    ending.abort(reason);
    expect(await pending).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
    await expect(client.agents.list()).rejects.toBe(reason);
  });

  it('keeps the path prefix of the base URL and uses the fetch of the caller', async () => {
    const urls: unknown[] = [];
    const client = createHoldfastClient({
      baseUrl: 'https://example.test/holdfast/',
      apiKey: 'key',
      fetch: (url) => {
        urls.push(url);
        return Promise.resolve(Response.json({ success: true, data: { agents: [], nextCursor: null } }));
      },
    });
    await client.agents.list({ limit: 3 });
    expect(urls).toEqual(['https://example.test/holdfast/api/agents?limit=3']);
  });

  it('follows no redirect, so that its key is not sent elsewhere', async () => {
    const api = await startScriptedApi({
      'GET /api/agents': (response) =>
        void response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
    });
    await expect(createHoldfastClient(api).agents.list()).rejects.toMatchObject({ status: 302 });
  });

  it.each([
    [{}, 'found neither'],
    [{ baseUrl: 'localhost', apiKey: 'key' }, 'expected an http or https URL'],
    [{ baseUrl: 'http://localhost', apiKey: '' }, 'apiKey'],
    [{ baseUrl: 'http://localhost' }, 'apiKey'],
  ])('cannot be created with %j', (options, problem) => {
    expect(() => createHoldfastClient(options as HoldfastClientOptions)).toThrow(problem);
  });

  it('says that HTTP is needed when it has only Temporal', async () => {
    const turns = createTemporalTurns({
      client: {} as unknown as Client,
      workspaceId: 'any',
      taskQueue: 'any',
    });
    const client = createHoldfastClient({ turns });
    const next = client.turns.stream(turnId)[Symbol.asyncIterator]().next();
    await expect(next).rejects.toMatchObject({ code: 'HTTP_NOT_CONFIGURED' });
    await expect(client.agents.list()).rejects.toThrow('baseUrl');
  });
});
