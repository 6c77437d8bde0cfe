import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAcceptTurn } from '../../../activities/turn/accept-turn.ts';
import { toTurnId } from '../../../src/platform/lib/ids.ts';
import { chooseTurnId, storeTurn, submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { openConversation, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createRecordedTurns } from '../../labs/recorded-turns.ts';
import { openTurnRows, type TurnRows } from '../../labs/turn-rows.ts';

let rows: TurnRows;
let api: Api;

beforeAll(async () => {
  [rows, api] = await Promise.all([openTurnRows(), shareApi()]);
});

afterAll(() => Promise.all([rows.close(), api.stop()]));

const input = { message: 'Hello', onBusy: 'reject' as const };

test('submitting stores a turn, wakes readers and starts the workflow', async () => {
  const place = await rows.createConversation();
  const { turns, calls } = createRecordedTurns(rows.database);
  const submission = { turnId: chooseTurnId(place, 'key'), conversationId: place.conversationId, input };
  const { accepted, turn } = await submitTurn(turns, place, submission);

  expect(accepted).toBe(true);
  expect(turn).toMatchObject({ id: toTurnId(place.workspaceId, 'key'), status: 'running' });
  expect(calls.notified).toEqual([place.conversationId]);
  expect(calls.started).toMatchObject([{ turnId: turn.id, conversationId: place.conversationId }]);
});

test('submitting a turn again starts the workflow again, in case the first start failed', async () => {
  const place = await rows.createConversation();
  const broken = createRecordedTurns(rows.database, {
    startTurn: () => Promise.reject(new Error('no engine')),
  });
  const working = createRecordedTurns(rows.database);
  const submission = { turnId: chooseTurnId(place, 'key'), conversationId: place.conversationId, input };
  const first = await submitTurn(broken.turns, place, submission);
  const second = await submitTurn(working.turns, place, submission);

  expect(broken.calls.warnings).toMatchObject([{ turnId: first.turn.id }]);
  expect(second).toEqual({ accepted: false, turn: first.turn });
  expect(working.calls.started).toMatchObject([{ turnId: first.turn.id }]);
});

test('storing a turn does not start its workflow', async () => {
  const place = await rows.createConversation();
  const { turns, calls } = createRecordedTurns(rows.database);
  const submission = { turnId: chooseTurnId(place, undefined), conversationId: place.conversationId, input };
  const { start } = await storeTurn(turns, place, submission);

  expect(start).toMatchObject({ turnId: submission.turnId, messagePreview: 'Hello' });
  expect(calls.started).toEqual([]);
});

test.each([
  [
    'a response schema by which no answer can be checked',
    { responseSchema: { type: 'object', properties: 7 } },
  ],
  ['haste without steering', { now: true }],
])('a turn with %s is not stored, whoever submits it', async (_title, more) => {
  const place = await rows.createConversation();
  const { turns, calls } = createRecordedTurns(rows.database);
  const turnId = chooseTurnId(place, undefined);
  const submission = { turnId, conversationId: place.conversationId, input: { ...input, ...more } };

  await expect(submitTurn(turns, place, submission)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await rows.database.system('turns').where({ id: turnId })).toEqual([]);
  expect(calls.started).toEqual([]);
});

test('each submission without a key has a new id', () => {
  const place = { workspaceId: 'one' };

  expect(chooseTurnId(place, undefined)).not.toBe(chooseTurnId(place, undefined));
  expect(chooseTurnId(place, 'key')).not.toBe(chooseTurnId({ workspaceId: 'other' }, 'key'));
});

test('HTTP and the activity acceptTurn create the same turn for the same key', async () => {
  const { conversationId } = await openConversation(api);
  const { turns } = createRecordedTurns(api.database);
  const acceptTurn = createAcceptTurn({ turnDependencies: turns });
  const { workspaceId } = api;
  const submit = (message: string, key: string) =>
    api.call('POST', `/api/conversations/${conversationId}/turns`, {
      body: { message },
      headers: { 'idempotency-key': key },
    });
  const byHttp = await submit('Hello', 'both');
  const place = { workspaceId, conversationId, turnId: toTurnId(workspaceId, 'both') };
  const byActivity = await acceptTurn({ ...place, ...input });
  const started = api.calls.started.filter(({ turnId }) => turnId === place.turnId);

  expect(byHttp.data.turn.id).toBe(place.turnId);
  expect([byActivity]).toEqual(started);
  expect((await submit('Hello', 'both')).headers.get('idempotent-replayed')).toBe('true');
  await expect(acceptTurn({ ...place, ...input, message: 'Hello!' })).rejects.toMatchObject({
    type: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test('HTTP finds the turn that the activity has stored', async () => {
  const { conversationId } = await openConversation(api);
  const { turns } = createRecordedTurns(api.database);
  const turnId = toTurnId(api.workspaceId, 'activity-first');
  const place = { workspaceId: api.workspaceId, conversationId, turnId };
  const start = await createAcceptTurn({ turnDependencies: turns })({
    ...place,
    ...input,
  });
  const { data, headers } = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    body: { message: 'Hello' },
    headers: { 'idempotency-key': 'activity-first' },
  });

  expect(start).toMatchObject({ turnId, conversationId });
  expect(data.turn.id).toBe(turnId);
  expect(headers.get('idempotent-replayed')).toBe('true');
});
