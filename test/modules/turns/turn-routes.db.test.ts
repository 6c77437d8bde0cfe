import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openConversation, startApi, startTurn, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createTurnPlayer } from '../../labs/turn-player.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

function submit(conversationId: string, body: object, headers: Record<string, string> = {}) {
  return api.call('POST', `/api/conversations/${conversationId}/turns`, { body, headers });
}

test('a turn is accepted and its workflow started with ids and limits', async () => {
  const { conversationId, agentId } = await openConversation(api);
  const { status, data } = await submit(conversationId, { message: 'Hello' });
  expect(status).toBe(202);
  expect(data.turn).toMatchObject({ conversationId, agentId, status: 'running', outcome: null });
  const start = api.calls.started.find(({ turnId }) => turnId === data.turn.id);
  expect(start).toMatchObject({ conversationId, agentId, workspaceId: api.workspaceId, model: 'demo' });
});

test('a turn is accepted although its workflow could not be started', async () => {
  const failing = await startApi({ startTurn: () => Promise.reject(new Error('no engine')) });
  try {
    const { conversationId } = await openConversation(failing);
    const turnId = await startTurn(failing, conversationId);
    const { data } = await failing.call('GET', `/api/turns/${turnId}`);
    expect(data.turn.status).toBe('running');
    expect(failing.logLines.join('')).toContain('the sweeper will start it');
  } finally {
    await failing.stop();
  }
});

test('the same Idempotency-Key and body return the same turn and status', async () => {
  const { conversationId } = await openConversation(api);
  const headers = { 'idempotency-key': 'order-1' };
  const first = await submit(conversationId, { message: 'Hello' }, headers);
  const second = await submit(conversationId, { onBusy: 'reject', message: 'Hello' }, headers);
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.data.turn.id).toBe(first.data.turn.id);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const { data } = await api.call('GET', `/api/conversations/${conversationId}/messages`);
  expect(data.messages).toHaveLength(1);
});

test('concurrent requests with the same key create one turn', async () => {
  const { conversationId } = await openConversation(api);
  const headers = { 'idempotency-key': 'order-2' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => submit(conversationId, { message: 'Hello' }, headers)),
  );
  expect(new Set(answers.map(({ data }) => data.turn.id)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
  const { data } = await api.call('GET', `/api/conversations/${conversationId}/turns`);
  expect(data.turns).toHaveLength(1);
});

test('the same Idempotency-Key with another body or conversation is refused', async () => {
  const { conversationId } = await openConversation(api);
  const other = await openConversation(api);
  const headers = { 'idempotency-key': 'order-3' };
  const first = await submit(conversationId, { message: 'Hello' }, headers);
  const answers = await Promise.all([
    submit(conversationId, { message: 'Hello!' }, headers),
    submit(conversationId, { message: 'Hello', onBusy: 'enqueue' }, headers),
    submit(other.conversationId, { message: 'Hello' }, headers),
  ]);
  for (const { status, error } of answers) {
    expect([status, error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(error.details).toEqual({ turnId: first.data.turn.id });
  }
});

test('the same Idempotency-Key in two workspaces creates two turns', async () => {
  const { conversationId } = await openConversation(api);
  const headers = { 'idempotency-key': 'order-4' };
  const first = await submit(conversationId, { message: 'Hello' }, headers);
  const { key } = await api.createWorkspace();
  const agent = await api.call('POST', '/api/agents', {
    key,
    body: { name: 'B', model: 'demo', instructions: '' },
  });
  const opened = await api.call('POST', '/api/conversations', {
    key,
    body: { agentId: agent.data.agent.id },
  });
  const path = `/api/conversations/${opened.data.conversation.id}/turns`;
  const second = await api.call('POST', path, { key, headers, body: { message: 'Hello' } });
  expect(second.status).toBe(202);
  expect(second.data.turn.id).not.toBe(first.data.turn.id);
  expect((await api.call('GET', `/api/turns/${first.data.turn.id}`, { key })).status).toBe(404);
  expect((await api.call('POST', `/api/turns/${first.data.turn.id}/cancel`, { key })).status).toBe(404);
});

test('a second turn is refused with the id of the running one, or queued on request', async () => {
  const { conversationId } = await openConversation(api);
  const running = await startTurn(api, conversationId);
  const refused = await submit(conversationId, { message: 'Me too' });
  expect([refused.status, refused.error.code]).toEqual([409, 'TURN_RUNNING']);
  expect(refused.error.details).toEqual({ turnId: running });
  const queued = await submit(conversationId, { message: 'Me too', onBusy: 'enqueue' });
  expect([queued.status, queued.data.turn.status]).toEqual([202, 'queued']);
  expect(api.calls.started.map(({ turnId }) => turnId)).not.toContain(queued.data.turn.id);
});

test('a waiting request returns the details of the turn once it is settled', async () => {
  const { conversationId } = await openConversation(api);
  const waiting = api.call('POST', `/api/conversations/${conversationId}/turns?wait=true`, {
    body: { message: 'Hello' },
    headers: { 'idempotency-key': 'wait-1' },
  });
  const turnId = await vi.waitFor(
    async () => {
      const { data } = await api.call('GET', `/api/conversations/${conversationId}/turns`);
      expect(data.turns).toHaveLength(1);
      return data.turns[0]?.id ?? '';
    },
    { timeout: 30_000 },
  );
  await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
  const { status, data } = await waiting;
  expect(status).toBe(200);
  expect(data.turn).toMatchObject({ id: turnId, outcome: 'completed', answer: 'Done.', toolCalls: [] });
  expect(data.turn.usage).toBeDefined();
  const again = await api.call('POST', `/api/conversations/${conversationId}/turns?wait=true`, {
    body: { message: 'Hello' },
    headers: { 'idempotency-key': 'wait-1' },
  });
  expect([again.status, again.data.turn.id]).toEqual([200, turnId]);
});

test('a waiting request ends with 202 at the deadline of the turn', async () => {
  const { conversationId, agentId } = await openConversation(api);
  await api.call('PATCH', `/api/agents/${agentId}`, { body: { limits: { turnTimeoutMs: 2000 } } });
  const path = `/api/conversations/${conversationId}/turns?wait=true`;
  const { status, data } = await api.call('POST', path, { body: { message: 'Hello' } });
  expect([status, data.turn.status]).toEqual([202, 'running']);
});

test('a waiting request ends when the client disconnects', async () => {
  const { conversationId } = await openConversation(api);
  const leaving = new AbortController();
  const path = `/api/conversations/${conversationId}/turns?wait=true`;
  const waiting = api.call('POST', path, { body: { message: 'Hello' }, signal: leaving.signal });
  await vi.waitFor(() => expect(api.bells.listenerCount(conversationId)).toBe(1), { timeout: 30_000 });
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await vi.waitFor(() => expect(api.bells.listenerCount(conversationId)).toBe(0), { timeout: 30_000 });
});

test('cancelling a turn notifies its workflow and the worker that runs its steps', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const { status, data } = await api.call('POST', `/api/turns/${turnId}/cancel`);
  expect([status, data.turn.status]).toEqual([202, 'running']);
  expect(api.calls.cancelled).toContain(turnId);
  expect(api.calls.stopped).toContain(turnId);
});

test('cancelling a queued turn settles it at once, and a settled turn is not changed', async () => {
  const { conversationId } = await openConversation(api);
  const running = await startTurn(api, conversationId);
  const queued = await submit(conversationId, { message: 'Later', onBusy: 'enqueue' });
  const cancelled = await api.call('POST', `/api/turns/${queued.data.turn.id}/cancel`, { body: {} });
  expect([cancelled.status, cancelled.data.turn.outcome]).toEqual([200, 'cancelled']);
  await createTurnPlayer(api, { conversationId, turnId: running }).settle('Done.');
  const late = await api.call('POST', `/api/turns/${running}/cancel`);
  expect([late.status, late.data.turn.outcome, late.data.turn.answer]).toEqual([200, 'completed', 'Done.']);
});

test('a cancel is accepted although Temporal could not be reached', async () => {
  const failing = await startApi({ cancelTurn: () => Promise.reject(new Error('no engine')) });
  try {
    const { conversationId } = await openConversation(failing);
    const turnId = await startTurn(failing, conversationId);
    expect((await failing.call('POST', `/api/turns/${turnId}/cancel`)).status).toBe(202);
    expect(failing.calls.stopped).toEqual([turnId]);
  } finally {
    await failing.stop();
  }
});

test('turns are listed newest first, page by page', async () => {
  const { conversationId } = await openConversation(api);
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const turnId = await startTurn(api, conversationId);
    await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
    ids.unshift(turnId);
  }
  const path = `/api/conversations/${conversationId}/turns?limit=2`;
  const first = await api.call('GET', path);
  const second = await api.call('GET', `${path}&cursor=${first.data.nextCursor}`);
  expect([...first.data.turns, ...second.data.turns].map(({ id }: { id: string }) => id)).toEqual(ids);
});
