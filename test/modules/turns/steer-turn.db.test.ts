import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TurnInput } from '../../../src/domain/turn.ts';
import { createSteeringRepository } from '../../../src/modules/turns/messages/steering-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import type { TurnRow } from '../../../src/modules/turns/turn-rows.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { cancelTurn } from '../../../src/modules/turns/cancel-turn.ts';
import { steerMessage, withdrawMessage } from '../../../src/modules/turns/messages/queued-messages.ts';
import { submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { createRecordedTurns } from '../../labs/recorded-turns.ts';
import {
  createAnswer,
  createToolCall,
  openTurnRows,
  type RowRef,
  type TurnRows,
} from '../../labs/turn-rows.ts';

let rows: TurnRows;
let recorded: ReturnType<typeof createRecordedTurns>;

beforeAll(async () => {
  rows = await openTurnRows();
  recorded = createRecordedTurns(rows.database);
});

afterAll(() => rows.close());

interface Sending extends Partial<TurnInput> {
  turnId?: string;
}

async function send(place: RowRef, message: string, { turnId = newId(), ...more }: Sending = {}) {
  const input = { message, onBusy: 'enqueue' as const, ...more };
  const submission = { turnId, conversationId: place.conversationId, input };
  return (await submitTurn(recorded.turns, place, submission)).turn;
}

function answersOf({ workspaceId }: RowRef) {
  return <Result>(
    run: (repository: ReturnType<typeof createTurnAnswerRepository>) => Promise<Result>,
  ): Promise<Result> =>
    rows.database.transact(workspaceId, (query) => run(createTurnAnswerRepository(query)));
}

test('at most 20 messages wait in a conversation', async () => {
  const place = await rows.createConversation();
  await send(place, 'Running.');
  for (let count = 1; count <= 20; count++) await send(place, `Message ${count}`);
  await expect(send(place, 'One too many.')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
  await expect(send(place, 'One too many.', { onBusy: 'steer' })).rejects.toMatchObject({
    code: 'QUEUE_FULL',
  });
});

test('at most 64 KiB of messages wait in a conversation, counted as UTF-8', async () => {
  const place = await rows.createConversation();
  await send(place, 'x'.repeat(100_000));
  await send(place, 'é'.repeat(20_000));
  await expect(send(place, 'é'.repeat(12_769))).rejects.toMatchObject({ code: 'QUEUE_FULL' });
  expect(await send(place, 'é'.repeat(12_768))).toMatchObject({ status: 'queued' });
});

test('a repeated submission finds its turn, whatever became of it, and disturbs no other', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  const turnId = newId();
  await send(place, 'Stop.', { onBusy: 'interrupt', turnId });
  expect(recorded.calls.cancelled).toContain(running.id);
  const calls = recorded.calls.cancelled.length;
  expect(await send(place, 'Stop.', { onBusy: 'interrupt', turnId })).toMatchObject({ id: turnId });
  expect(recorded.calls.cancelled).toHaveLength(calls);
  await expect(send(place, 'Else.', { onBusy: 'interrupt', turnId })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test('an answer that has not seen a message which the turn has taken is not stored', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  await send(place, 'Second.', { onBusy: 'steer' });
  const taken = await rows.database.transact(place.workspaceId, (query) =>
    createSteeringRepository(query).take(running.id),
  );
  expect(taken).toMatchObject([{ text: 'Second.' }]);
  const late = createAnswer(running.id, { outcome: 'completed', steered: 0 });
  expect(await rows.storeAnswer(place, late)).toBe(false);
  const seen = createAnswer(running.id, { outcome: 'completed', steered: 1 });
  expect(await rows.storeAnswer(place, seen)).toBe(true);
});

test('an answer that yields is not stored while a message waits that steers', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  await send(place, 'Second.', { onBusy: 'steer' });
  const last = createAnswer(running.id, { outcome: 'completed', yields: true });
  expect(await rows.storeAnswer(place, last)).toBe(false);
  const calls = createAnswer(running.id, { toolCalls: [createToolCall(0)], claimId: newId(), yields: true });
  expect(await rows.storeAnswer(place, calls)).toBe(false);
  expect(await rows.storeAnswer(place, { ...last, yields: false, outcome: null })).toBe(true);
});

test('no answer of a turn is stored after it was rolled back', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  await send(place, 'Anew.', { onBusy: 'rollback' });
  expect(await rows.storeAnswer(place, createAnswer(running.id, { outcome: 'completed' }))).toBe(false);
});

test('a rollback is refused while a call runs that may change something', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  const calls = { toolCalls: [createToolCall(0)], claimId: newId() };
  await rows.storeAnswer(place, createAnswer(running.id, calls));
  await expect(send(place, 'Anew.', { onBusy: 'rollback' })).rejects.toMatchObject({
    code: 'ROLLBACK_REFUSED',
    details: { turnId: running.id, toolCalls: [{ status: 'started' }] },
  });
  expect(await send(place, 'Anew.', { onBusy: 'rollback', confirmRollback: true })).toMatchObject({
    status: 'queued',
  });
});

test('messages that are sent, steered, withdrawn and taken at the same time are each taken or promoted once', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  const answers = answersOf(place);
  const take = (iteration: number) =>
    rows.database.transact(place.workspaceId, async (query) => {
      const steering = createSteeringRepository(query);
      const taken = await steering.take(running.id);
      await steering.endTaken(running.id, iteration);
      return taken.length;
    });
  const refused: unknown[] = [];
  const orRefused = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof HoldfastError)) throw error;
      refused.push(error.code);
    });
  const queued = await Promise.all([1, 2, 3, 4, 5].map((one) => send(place, `Queued ${one}`)));
  const ids = queued.map(({ messageId }) => messageId ?? '');
  await Promise.all([
    ...ids.slice(0, 3).map((id) => orRefused(steerMessage(recorded.turns, place, { messageId: id }))),
    ...ids.slice(2).map((id) => orRefused(withdrawMessage(recorded.turns, place, id))),
    ...[1, 2, 3, 4, 5].map((one) => orRefused(send(place, `Steered ${one}`, { onBusy: 'steer' }))),
    orRefused(send(place, 'Interrupts.', { onBusy: 'interrupt' })),
    orRefused(cancelTurn(recorded.turns, place, running.id)),
    take(1),
    take(2),
    take(3),
    answers((repository) => repository.promoteNextTurn(place.conversationId)),
  ]);
  await take(4);

  const all = await rows.database.inWorkspace(place.workspaceId, (trx) =>
    trx<TurnRow>('turns').where('conversation_id', place.conversationId).whereNot('id', running.id),
  );
  expect(all).toHaveLength(11);
  expect(all.filter(({ status }) => status === 'steered')).toHaveLength(await countTaken(running.id));
  for (const { status, steered_into: into } of all) {
    expect(['queued', 'steered', 'cancelled']).toContain(status);
    expect(into).toBe(status === 'steered' ? running.id : null);
  }
  expect(refused.every((code) => code === 'MESSAGE_TAKEN')).toBe(true);
});

const takeFor = (place: RowRef, turnId: string) =>
  rows.database.transact(place.workspaceId, (query) => createSteeringRepository(query).take(turnId));

/** Ends a turn without an answer, and returns the id of the turn that runs next. */
async function endAndPromote(place: RowRef, turnId: string) {
  const event = { type: 'turn.settled', payload: {} } as never;
  return answersOf(place)(async (repository) => {
    await repository.settleTurn({ turnId, outcome: 'failed', answer: 'It broke.', error: null, event });
    return (await repository.promoteNextTurn(place.conversationId))?.turnId;
  });
}

test('all attempts of a model call take the same messages, whose turns wait until the answer is stored', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  const second = await send(place, 'Second.', { onBusy: 'steer' });
  expect(await takeFor(place, running.id)).toMatchObject([{ turnId: second.id }]);
  const third = await send(place, 'Third.', { onBusy: 'steer' });
  const both = [{ turnId: second.id }, { turnId: third.id }];
  expect(await takeFor(place, running.id)).toMatchObject(both);
  expect(await takeFor(place, running.id)).toMatchObject(both);
  expect(await endAndPromote(place, running.id)).toBe(second.id);
  expect(await takeFor(place, second.id)).toMatchObject([{ turnId: third.id }]);
});

test('a turn that is to stop takes no message', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  await cancelTurn(recorded.turns, place, running.id);
  const second = await send(place, 'Second.', { onBusy: 'steer' });
  expect(await takeFor(place, running.id)).toEqual([]);
  const last = createAnswer(running.id, { outcome: 'completed', yields: true });
  expect(await rows.storeAnswer(place, last)).toBe(true);
  expect(await endAndPromote(place, running.id)).toBe(second.id);
});

test('a message that a model call has is neither withdrawn nor steered again, and cancelling its turn is noted', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  const { id, messageId } = await send(place, 'Second.', { onBusy: 'steer' });
  await takeFor(place, running.id);
  const taken = { code: 'MESSAGE_TAKEN', details: { turnId: running.id } };
  await expect(withdrawMessage(recorded.turns, place, messageId ?? '')).rejects.toMatchObject(taken);
  await expect(steerMessage(recorded.turns, place, { messageId: messageId ?? '' })).rejects.toMatchObject(
    taken,
  );
  expect(await cancelTurn(recorded.turns, place, id)).toMatchObject({
    running: true,
    turn: { status: 'queued' },
  });
  expect(await endAndPromote(place, running.id)).toBe(id);
  expect(await answersOf(place)((repository) => repository.lockTurn(id))).toMatchObject({
    status: 'running',
    cancelRequested: true,
  });
});

test('a message that was given back waits again, and is withdrawn', async () => {
  const place = await rows.createConversation();
  const running = await send(place, 'First.');
  await send(place, 'Second.', { onBusy: 'enqueue' });
  const { messageId } = await send(place, 'Third.', { onBusy: 'steer' });
  await takeFor(place, running.id);
  await endAndPromote(place, running.id);
  expect(await withdrawMessage(recorded.turns, place, messageId ?? '')).toMatchObject({
    outcome: 'cancelled',
  });
});

async function countTaken(turnId: string): Promise<number> {
  const [row] = await rows.database.system<TurnRow>('turns').where({ id: turnId });
  return row?.steered ?? 0;
}
