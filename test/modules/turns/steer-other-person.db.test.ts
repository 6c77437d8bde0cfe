import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSteeringRepository } from '../../../src/modules/turns/messages/steering-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import type { Turn, TurnInput } from '../../../src/domain/turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { cancelTurn } from '../../../src/modules/turns/cancel-turn.ts';
import { steerMessage, withdrawMessage } from '../../../src/modules/turns/messages/queued-messages.ts';
import { submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { createRecordedTurns } from '../../labs/recorded-turns.ts';
import { createAnswer, openTurnRows, type RowRef, type TurnRows } from '../../labs/turn-rows.ts';

let rows: TurnRows;
let recorded: ReturnType<typeof createRecordedTurns>;

beforeAll(async () => {
  rows = await openTurnRows();
  recorded = createRecordedTurns(rows.database);
});

afterAll(() => rows.close());

/** A conversation in which a turn of Bob runs, and the keys of a workspace that write in it. */
async function createScene() {
  const place = await rows.createConversation();
  const toKey = (actsFor: string | null) => ({ ...place, apiKeyId: newId(), actsFor });
  const keys = { ann: toKey('ann'), bob: toKey('bob'), anybody: toKey(null) };
  const send = async (
    key: Pick<Actor, 'workspaceId' | 'apiKeyId' | 'actsFor'>,
    input: Partial<TurnInput> & { turnId?: string } = {},
  ): Promise<Turn> => {
    const { turnId = newId(), ...more } = input;
    const submission = {
      turnId,
      conversationId: place.conversationId,
      input: { message: 'A message.', onBusy: 'steer' as const, ...more },
    };
    return (await submitTurn(recorded.turns, key, submission)).turn;
  };
  return { place, keys, send, running: await send(keys.bob) };
}

const take = ({ workspaceId }: RowRef, turnId: string) =>
  rows.database.transact(workspaceId, (query) => createSteeringRepository(query).take(turnId));

const readTurn = ({ workspaceId }: RowRef, id: string) =>
  rows.database.inWorkspace(workspaceId, (trx) =>
    trx('turns').where({ id }).first('status', 'steers', 'started_by'),
  );

test('the message of another person is not taken, and starts a turn for that person', async () => {
  const { place, keys, send, running } = await createScene();
  const bound = await send(keys.ann);
  const named = await send(keys.anybody, { actingFor: 'carl' });
  const own = await send(keys.bob);
  const nameless = await send(keys.anybody);
  expect(await take(place, running.id)).toMatchObject([{ turnId: own.id }, { turnId: nameless.id }]);

  const last = createAnswer(running.id, { outcome: 'completed', steered: 2, yields: true });
  expect(await rows.storeAnswer(place, last)).toBe(true);
  const promoted = await rows.database.transact(place.workspaceId, async (query) => {
    await createSteeringRepository(query).endTaken(running.id, 1);
    return createTurnAnswerRepository(query).promoteNextTurn(place.conversationId);
  });
  expect(promoted?.turnId).toBe(bound.id);
  expect(await readTurn(place, bound.id)).toMatchObject({ started_by: { actingFor: 'ann' } });
  expect(await readTurn(place, named.id)).toMatchObject({
    status: 'queued',
    started_by: { actingFor: 'carl' },
  });
  expect(await take(place, bound.id)).toEqual([]);
});

test('a queued message that is steered is not taken by the turn of another person', async () => {
  const { place, keys, send, running } = await createScene();
  const { messageId, id } = await send(keys.ann, { onBusy: 'enqueue' });
  await steerMessage(recorded.turns, keys.ann, { messageId: messageId ?? '' });
  expect(await readTurn(place, id)).toMatchObject({ status: 'queued', steers: true });
  expect(await take(place, running.id)).toEqual([]);
});

test('a key for one person neither stops turns nor moves messages of another', async () => {
  const { place, keys, send, running } = await createScene();
  const { messageId, id } = await send(keys.bob, { onBusy: 'enqueue' });
  const before = [await readTurn(place, running.id), await readTurn(place, id)];
  const told = recorded.calls.cancelled.length;
  const attempts = [
    () => send(keys.ann, { onBusy: 'interrupt' }),
    () => send(keys.ann, { onBusy: 'rollback', confirmRollback: true }),
    () => cancelTurn(recorded.turns, keys.ann, running.id),
    () => cancelTurn(recorded.turns, keys.ann, id),
    () => steerMessage(recorded.turns, keys.ann, { messageId: messageId ?? '' }),
    () => withdrawMessage(recorded.turns, keys.ann, messageId ?? ''),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect([await readTurn(place, running.id), await readTurn(place, id)]).toEqual(before);
  expect(recorded.calls.cancelled).toHaveLength(told);

  expect(await withdrawMessage(recorded.turns, keys.bob, messageId ?? '')).toMatchObject({ id });
  expect(await cancelTurn(recorded.turns, keys.anybody, running.id)).toMatchObject({ running: true });
});

test('a key for one person gets no turn of another by its idempotency key', async () => {
  const { keys, send, running } = await createScene();
  const repeated = { turnId: running.id };
  expect(await send(keys.bob, repeated)).toMatchObject({ id: running.id });
  const refusal = await send(keys.ann, repeated).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', details: undefined });
});
