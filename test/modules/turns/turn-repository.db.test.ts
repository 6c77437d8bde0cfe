import { describe, expect, test } from 'vitest';
import { createTurnRepository, type TurnRepository } from '../../../src/modules/turns/turn-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

function readEvents({ conversationId }: RowRef) {
  return rows.database
    .system('events')
    .where({ conversation_id: conversationId })
    .orderBy('seq')
    .select<{ seq: number; type: string; turn_id: string }[]>('seq', 'type', 'turn_id');
}

function inTurns<Result>(
  { workspaceId }: RowRef,
  run: (turns: TurnRepository) => Promise<Result>,
): Promise<Result> {
  return rows.database.transact(workspaceId, (query) => run(createTurnRepository(query)));
}

describe('submitting a turn', () => {
  test('stores turn, message and event, and returns what to start', async () => {
    const place = await rows.createConversation({ turnTimeoutMs: 60_000, maxIterations: 3 });
    const { accepted, turn, start } = await rows.submit(place, { message: 'Line one\nline two' });

    expect(accepted).toBe(true);
    expect(turn).toMatchObject({ status: 'running', outcome: null, answer: null, iterations: 0 });
    expect(Date.parse(turn.deadlineAt ?? '') - Date.parse(turn.startedAt ?? '')).toBe(60_000);
    expect(start).toEqual({
      ...place,
      turnId: turn.id,
      agentName: 'Agent',
      messagePreview: 'Line one line two',
      model: 'demo',
      execution: 'inspectable',
      limits: {
        activityTimeoutMs: 30_000,
        turnTimeoutMs: 60_000,
        absenceTimeoutMs: 600_000,
        maxIterations: 3,
      },
      startLimit: { timeoutMs: 600_000, until: Date.parse(turn.startedAt ?? '') + 600_000 },
    });
    expect(await readEvents(place)).toEqual([{ seq: 1, type: 'turn.started', turn_id: turn.id }]);
    const messages = await rows.database.system('messages').where({ turn_id: turn.id });
    expect(messages).toMatchObject([{ role: 'user', text: 'Line one\nline two', iteration: 0 }]);
  });

  test('again with the same id and request finds the same turn, and returns what to start', async () => {
    const place = await rows.createConversation();
    const turnId = newId();
    const first = await rows.submit(place, { turnId });
    const second = await rows.submit(place, { turnId });

    expect(second).toEqual({ ...first, accepted: false });
    expect(await readEvents(place)).toHaveLength(1);
  });

  test('at the same moment numbers turns and events without a gap', async () => {
    const place = await rows.createConversation();
    const submissions = Array.from({ length: 20 }, () => rows.submit(place, { onBusy: 'enqueue' }));
    const stored = await Promise.all(submissions);
    const ordinals = await rows.database
      .system('turns')
      .where({ conversation_id: place.conversationId })
      .orderBy('ordinal')
      .pluck<number[]>('ordinal');
    const events = await readEvents(place);

    expect(ordinals).toEqual(stored.map((_, index) => index + 1));
    expect(events.map(({ seq }) => seq)).toEqual(ordinals);
    expect(stored.filter(({ start }) => start !== null)).toHaveLength(1);
  });

  test('at the same moment without a queue accepts one turn, and leaves no trace of the others', async () => {
    const place = await rows.createConversation();
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => rows.submit(place)));
    const accepted = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    const row: unknown = await rows.database
      .system('conversations')
      .where({ id: place.conversationId })
      .first();

    expect(accepted).toMatchObject([{ accepted: true }]);
    expect(refused).toHaveLength(19);
    for (const error of refused) expect(error).toMatchObject({ code: 'TURN_RUNNING' });
    expect(row).toMatchObject({ last_turn_ordinal: 1, last_event_seq: 1, characters: 'Hello'.length });
  });

  test('at the same moment in two conversations with one id accepts one', async () => {
    const place = await rows.createConversation();
    const other = await rows.createConversation({}, place.workspaceId);
    const turnId = newId();
    const ends = await Promise.allSettled([
      rows.submit(place, { turnId, requestHash: 'one' }),
      rows.submit(other, { turnId, requestHash: 'other' }),
    ]);

    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect([...(await readEvents(place)), ...(await readEvents(other))]).toHaveLength(1);
  });

  test('again with the same id and another request is refused', async () => {
    const place = await rows.createConversation();
    const turnId = newId();
    await rows.submit(place, { turnId, requestHash: 'one' });

    await expect(rows.submit(place, { turnId, requestHash: 'other' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { turnId },
    });
  });

  test('again after the turn is settled returns its outcome and starts nothing', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
    const again = await rows.submit(place, { turnId: turn.id });

    expect(again).toMatchObject({
      accepted: false,
      turn: { outcome: 'completed', answer: 'Answer' },
      start: null,
    });
  });

  test('twenty times at once with one id creates one turn', async () => {
    const place = await rows.createConversation();
    const turnId = newId();
    const results = await Promise.all(Array.from({ length: 20 }, () => rows.submit(place, { turnId })));

    expect(results.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(new Set(results.map(({ turn }) => turn.id))).toEqual(new Set([turnId]));
    expect(await readEvents(place)).toHaveLength(1);
  });

  test('twenty times at once lets one run, and names the running turn to the others', async () => {
    const place = await rows.createConversation();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => rows.submit(place)));
    const accepted = results.filter((result) => result.status === 'fulfilled');
    const refused = results.filter((result) => result.status === 'rejected');

    expect(accepted).toHaveLength(1);
    const turnId = accepted[0]?.value.turn.id;
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'TURN_RUNNING', details: { turnId } });
    expect(await readEvents(place)).toHaveLength(1);
    expect(await rows.database.system('turns').where({ conversation_id: place.conversationId })).toHaveLength(
      1,
    );
  });

  test('twenty times at once with queueing runs one and queues the others, with events without a gap', async () => {
    const place = await rows.createConversation();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => rows.submit(place, { onBusy: 'enqueue' })),
    );

    expect(results.filter(({ turn }) => turn.status === 'running')).toHaveLength(1);
    expect(results.filter(({ turn, start }) => turn.status === 'queued' && start === null)).toHaveLength(19);
    const events = await readEvents(place);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(events.map(({ type }) => type)).toEqual([
      'turn.started',
      ...Array<string>(19).fill('message.queued'),
    ]);
    const ordinals = await rows.database
      .system('turns')
      .where({ conversation_id: place.conversationId })
      .orderBy('ordinal')
      .pluck<string[]>('id');
    expect(ordinals).toEqual(events.map(({ turn_id: id }) => id));
  });

  test('to a conversation of another workspace is not found', async () => {
    const place = await rows.createConversation();
    const other = await rows.createConversation();

    await expect(rows.submit({ ...place, conversationId: other.conversationId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('to a deleted agent is refused', async () => {
    const place = await rows.createConversation();
    await rows.database.system('agents').where({ id: place.agentId }).update({ deleted_at: new Date() });

    await expect(rows.submit(place)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('pins the current version of the agent', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place, { onBusy: 'enqueue' });
    const version = await rows.database
      .system('agent_versions')
      .where({ agent_id: place.agentId })
      .first<object>();
    await rows.database.system('agent_versions').insert({
      ...version,
      id: newId(),
      version: 2,
      model: 'compatible/other',
      available_tools: '[]',
      limits: '{}',
    });
    await rows.database.system('agents').where({ id: place.agentId }).update({ current_version: 2 });
    const second = await rows.submit(place, { onBusy: 'enqueue' });

    expect(second.turn.agentVersionId).not.toBe(turn.agentVersionId);
    expect(await inTurns(place, (turns) => turns.getStart(turn.id))).toMatchObject({ model: 'demo' });
    expect(await inTurns(place, (turns) => turns.getStart(second.turn.id))).toMatchObject({
      model: 'compatible/other',
    });
  });
});

describe('asking a turn to stop', () => {
  test('settles a queued turn at once, with its event', async () => {
    const place = await rows.createConversation();
    await rows.submit(place);
    const { turn } = await rows.submit(place, { onBusy: 'enqueue' });
    const cancelled = await inTurns(place, (turns) => turns.requestCancel(turn.id));

    expect(cancelled).toMatchObject({ running: false, turn: { outcome: 'cancelled' } });
    expect((await readEvents(place)).map(({ type }) => type)).toEqual([
      'turn.started',
      'message.queued',
      'turn.settled',
    ]);
    expect(await inTurns(place, (turns) => turns.requestCancel(turn.id))).toEqual(cancelled);
  });

  test('that runs stores the request for its steps', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);

    expect(await inTurns(place, (turns) => turns.requestCancel(turn.id))).toMatchObject({
      running: true,
      turn: { status: 'running' },
    });
    const row = await rows.database
      .system('turns')
      .where({ id: turn.id })
      .first<{ cancel_requested_at: Date }>();
    expect(row.cancel_requested_at).toBeInstanceOf(Date);
  });

  test('that does not exist finds nothing', async () => {
    const place = await rows.createConversation();

    await expect(inTurns(place, (turns) => turns.requestCancel(newId()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('the turns of a conversation that the workspace does not have are not found, in one transaction', async () => {
  const { conversationId } = await rows.createConversation();
  const list = rows.database.pipelined(newId(), (query) =>
    createTurnRepository(query).listTurns({ conversationId, limit: 2 }),
  );

  await expect(list).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('turns are listed newest first, page by page', async () => {
  const place = await rows.createConversation();
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    ids.unshift((await rows.submit(place, { onBusy: 'enqueue' })).turn.id);
  }
  const list = (cursor?: string) =>
    inTurns(place, (turns) => turns.listTurns({ conversationId: place.conversationId, cursor, limit: 2 }));
  const first = await list();
  const second = await list(first.nextCursor ?? '');
  const third = await list(second.nextCursor ?? '');

  expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(ids);
  expect(third.nextCursor).toBeNull();
});
