import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHoldfastClient, type Change, type ChangeEvent } from '../../../src/clients/client/index.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import { askForApproval } from '../../labs/asked-call.ts';
import { openConversation, plainAgent, startApi, startTurn, type Api } from '../../labs/api-lab.ts';
import { runAsOwner } from '../../labs/database-login.ts';
import { createRandom } from '../../labs/random.ts';
import { createTurnPlayer } from '../../labs/turn-player.ts';
import { insertRoutineRun } from '../../labs/turn-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ timings: { keepAliveMs: 50 } });
});
afterAll(() => api.stop());

/** A reader with the client, from its first event on. */
function follow({ key = api.key, lastEventId }: { key?: string; lastEventId?: string } = {}) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const client = createHoldfastClient({ baseUrl: api.url, apiKey: key, retry: { delayMs: 1 } });
  const following = client.changes.follow({ lastEventId, signal: ending.signal });
  const events = following[Symbol.asyncIterator]();
  const next = async (): Promise<ChangeEvent> => {
    const read = await events.next();
    if (read.done) throw new Error('the stream has ended');
    return read.value;
  };
  return {
    next,
    /** Reads until there are so many changes; without a type those of everything but agents. */
    take: async (count: number, type?: Change['type']): Promise<Change[]> => {
      const taken: Change[] = [];
      while (taken.length < count) {
        const event = await next();
        if (event.type === 'reset') throw new Error('expected changes, found a reset');
        taken.push(
          ...event.changes.filter((change) => (type ? change.type === type : change.type !== 'agent')),
        );
      }
      return taken;
    },
    leave: () => ending.abort(),
  };
}

/** A reader that has read its first event, which says that it begins now. */
async function begin(key?: string) {
  const reader = follow(key === undefined ? {} : { key });
  const event = await reader.next();
  expect(event.type).toBe('reset');
  return { ...reader, lastEventId: event.lastEventId };
}

const toShort = (changes: Change[]) => changes.map(({ type, id, status }) => `${type} ${id} ${status}`);

/** Plays a turn, a message that waits for it and is cancelled. Returns the notes of that. */
async function playTurn(): Promise<string[]> {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const queued = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    body: { message: 'And then?', onBusy: 'enqueue' },
  });
  const queuedId = queued.data.turn.id;
  await api.call('POST', `/api/turns/${queuedId}/cancel`);
  await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
  return [
    ...[`turn ${turnId} running`, `turn ${queuedId} queued`],
    ...[`turn ${queuedId} cancelled`, `turn ${turnId} completed`],
  ];
}

const createKey = (scopes: Scope[], actsFor?: string) =>
  api.createKey(api.workspaceId, scopes, actsFor === undefined ? {} : { actsFor });

const insertRun = async () => {
  const place = await openConversation(api);
  return api.database.inWorkspace(api.workspaceId, (trx) => insertRoutineRun(trx, place));
};

describe('the stream of changes', () => {
  test('begins with a reset, and has each status of turns with their conversation', async () => {
    const reader = await begin();
    const notes = await playTurn();
    const changes = await reader.take(notes.length);
    expect(toShort(changes)).toEqual(notes);
    for (const { conversationId, at } of changes) {
      expect(conversationId).toBe(changes[0]?.conversationId);
      expect(new Date(at).toISOString()).toBe(at);
    }
    expect(changes[0]?.conversationId).toEqual(expect.any(String));
  });

  test('continues after each event without loss, with the header and with the parameter', async () => {
    const first = await begin();
    first.leave();
    const notes = await playTurn();
    const continued = follow({ lastEventId: first.lastEventId });
    expect(toShort(await continued.take(notes.length))).toEqual(notes);
    const response = await fetch(`${api.url}/api/changes?after=${encodeURIComponent(first.lastEventId)}`, {
      headers: { authorization: `Bearer ${api.key}` },
      signal: AbortSignal.timeout(60_000),
    });
    const parts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(notes.at(-1)?.split(' ')[1] ?? '')) text += (await parts?.read())?.value ?? '';
    await parts?.cancel();
    expect(text).toMatch(/^retry: 1000\n\nid: \w+\.\d+:\d+:[\d,]*\nevent: changes\ndata: \{"type":"changes"/);
  });

  test('gives a reader that is disconnected at any time each change once', async () => {
    const random = createRandom(7);
    let { lastEventId, leave } = await begin();
    leave();
    const seen: string[] = [];
    const work = (async () => {
      const notes: string[] = [];
      for (let turn = 0; turn < 6; turn += 1) notes.push(...(await playTurn()));
      return notes;
    })();
    let notes: string[] | undefined;
    void work.then((all) => (notes = all));
    while (notes === undefined || seen.length < notes.length) {
      const reader = follow({ lastEventId });
      for (let events = random(3); events >= 0; events -= 1) {
        if (notes !== undefined && seen.length >= notes.length) break;
        const event = await reader.next();
        if (event.type === 'reset') throw new Error('expected changes, found a reset');
        seen.push(...toShort(event.changes.filter(({ type }) => type !== 'agent')));
        ({ lastEventId } = event);
      }
      ({ leave } = reader);
      leave();
    }
    expect(seen).toEqual(await work);
  });

  test('has a comment while nothing changes', async () => {
    const response = await fetch(`${api.url}/api/changes`, {
      headers: { authorization: `Bearer ${api.key}` },
      signal: AbortSignal.timeout(60_000),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const parts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(': keep-alive\n\n')) text += (await parts?.read())?.value ?? '';
    await parts?.cancel();
    expect(text).toMatch(/^retry: 1000\n\nid: \S+\nevent: reset\ndata: \{"type":"reset"\}\n\n/);
  });

  test('tells a reader that is connected, and one that comes back, of a crash of Postgres', async () => {
    const [reader, gone] = [await begin(), await begin()];
    gone.leave();
    await playTurn();
    await reader.take(4);
    // Postgres empties its unlogged tables after a crash.
    await runAsOwner(api.databaseUrl, 'TRUNCATE changes, change_log');
    await playTurn();
    expect((await reader.next()).type).toBe('reset');
    const back = follow({ lastEventId: gone.lastEventId });
    expect((await back.next()).type).toBe('reset');
  });

  test.each(['12.345', '0123456789ab.5:4:'])('refuses the id %s, which is of no event of it', async (id) => {
    const byHeader = await api.call('GET', '/api/changes', { headers: { 'last-event-id': id } });
    const byAddress = await api.call('GET', `/api/changes?after=${id}`);
    for (const { status, error } of [byHeader, byAddress])
      expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('of agents', () => {
  const create = async () => (await api.call('POST', '/api/agents', { body: plainAgent })).data.agent.id;
  const deleteAgent = (id: string, permanent = false) =>
    api.call('DELETE', `/api/agents/${id}${permanent ? '?permanent=true' : ''}`);

  test('each version, deletion and restoration leaves a note', async () => {
    const reader = await begin(await createKey(['agents:read']));
    const id = await create();
    expect((await api.call('PATCH', `/api/agents/${id}`, { body: { name: 'Other' } })).status).toBe(200);
    expect((await deleteAgent(id)).status).toBe(200);
    expect((await api.call('POST', `/api/resources/${id}/restore`)).status).toBe(200);
    expect((await deleteAgent(id)).status).toBe(200);
    expect((await deleteAgent(id, true)).status).toBe(200);
    const statuses = ['active', 'active', 'deleted', 'active', 'deleted', 'deleted'];
    const changes = await reader.take(statuses.length, 'agent');
    expect(toShort(changes)).toEqual(statuses.map((status) => `agent ${id} ${status}`));
    expect(new Set(changes.map(({ conversationId }) => conversationId))).toEqual(new Set([null]));
  });

  test('a reader gets those of its workspace, and none without the right to read agents', async () => {
    const other = await api.createWorkspace();
    const ofOther = await begin(other.key);
    const without = await begin(await createKey(['routines:read']));
    await create();
    const runId = await insertRun();
    const made = await api.call('POST', '/api/agents', { key: other.key, body: plainAgent });
    expect(toShort(await ofOther.take(1, 'agent'))).toEqual([`agent ${made.data.agent.id} active`]);
    const event = await without.next();
    expect(event.type === 'changes' && toShort(event.changes)).toEqual([`routine_run ${runId} completed`]);
  });
});

describe('a reader', () => {
  test('gets nothing of another workspace', async () => {
    const other = await api.createWorkspace();
    const reader = await begin(other.key);
    await playTurn();
    const own: Api = {
      ...api,
      ...other,
      call: (method, path, options) => api.call(method, path, { key: other.key, ...options }),
    };
    const { conversationId } = await openConversation(own);
    const turnId = await startTurn(own, conversationId);
    expect(toShort(await reader.take(1))).toEqual([`turn ${turnId} running`]);
  });

  test('gets only the types that its key may read', async () => {
    const reader = await begin(await createKey(['routines:read']));
    await playTurn();
    const runId = await insertRun();
    expect(toShort(await reader.take(1))).toEqual([`routine_run ${runId} completed`]);

    const without = await begin(await createKey(['conversations:read']));
    await insertRun();
    const notes = await playTurn();
    expect(toShort(await without.take(notes.length))).toEqual(notes);
  });

  test('for a person gets what belongs to the person or is shared, and no others', async () => {
    const scopes: Scope[] = ['conversations:read', 'conversations:write', 'routines:read'];
    const [ann, bob] = [await createKey(scopes, 'ann'), await createKey(scopes, 'bob')];
    const { data } = await api.call('POST', '/api/agents', { body: plainAgent });
    const open = async (key: string) => {
      const opened = await api.call('POST', '/api/conversations', { key, body: { agentId: data.agent.id } });
      return opened.data.conversation.id;
    };
    const start = async (key: string, conversationId: string) => {
      const path = `/api/conversations/${conversationId}/turns`;
      const started = await api.call('POST', path, { key, body: { message: 'Hello' } });
      return `turn ${started.data.turn.id} running`;
    };
    const [ofAnn, shared, ofBob] = [await open(ann), await open(ann), await open(bob)];
    const people = { sharedWith: ['bob'] };
    expect((await api.call('PATCH', `/api/conversations/${shared}`, { body: people })).status).toBe(200);
    const [annReader, bobReader] = [await begin(ann), await begin(bob)];
    await insertRun();
    await playTurn();
    const first = await start(ann, ofAnn);
    const second = await start(ann, shared);
    const third = await start(bob, ofBob);
    expect(toShort(await annReader.take(2))).toEqual([first, second]);
    expect(toShort(await bobReader.take(2))).toEqual([second, third]);
  });

  test('for a person who decides gets the calls of others that wait, without their turns', async () => {
    const reader = await begin(await createKey(['conversations:read', 'approvals:decide'], 'ann'));
    const { actionId } = await askForApproval(api);
    await askForApproval(api, { asked: { kind: 'question', question: 'Why?' } });
    await api.call('POST', `/api/pending-actions/${actionId}/decision`, { body: { decision: 'approve' } });
    expect(toShort(await reader.take(2))).toEqual([
      `action ${actionId} pending`,
      `action ${actionId} approved`,
    ]);
  });

  test('for conversations alone gets these', async () => {
    const [inside, outside] = [await openConversation(api), await openConversation(api)];
    const token = await api.call('POST', '/api/user-tokens', {
      body: { person: 'ann', roles: ['editor'], conversations: [inside.conversationId], minutes: 10 },
    });
    await api.database
      .system('conversations')
      .whereIn('id', [inside.conversationId, outside.conversationId])
      .update({ person: 'ann' });
    const reader = await begin((token.data as unknown as { token: string }).token);
    await startTurn(api, outside.conversationId);
    await insertRun();
    const turnId = await startTurn(api, inside.conversationId);
    expect(toShort(await reader.take(1))).toEqual([`turn ${turnId} running`]);
  });

  test('gets messages to its person alone', async () => {
    const send = async (person: string) => {
      const message = { id: crypto.randomUUID(), person, text: 'x', sender: {} };
      await api.database.inWorkspace(api.workspaceId, (trx) => trx('inbox_messages').insert(message));
      return message.id;
    };
    const [ann, all] = [await begin(await createKey(['inbox:read'], 'ann')), await begin()];
    const toBob = await send('bob');
    const toAnn = await send('ann');
    expect(toShort(await ann.take(1))).toEqual([`inbox_message ${toAnn} unread`]);
    await api.call('PATCH', `/api/inbox/${toAnn}`, { body: { read: true } });
    expect(toShort(await ann.take(1))).toEqual([`inbox_message ${toAnn} read`]);
    expect(toShort(await all.take(3)).slice(0, 2)).toEqual([
      `inbox_message ${toBob} unread`,
      `inbox_message ${toAnn} unread`,
    ]);
  });

  test('is refused and its stream ends when its key is revoked', async () => {
    const key = await createKey(['conversations:read']);
    const reader = await begin(key);
    const ended = expect(reader.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await createApiKeyRepository(api.database.system).revokeApiKey(key.split('_')[1] ?? '');
    await ended;
  });
});
