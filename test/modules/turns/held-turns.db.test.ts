import { describe, expect, test } from 'vitest';
import { takeSteering } from '../../../activities/model/take-steering.ts';
import { createActionRepository } from '../../../src/modules/actions/action-repository.ts';
import { createCreditLedgerRepository } from '../../../src/modules/credits/credit-ledger-repository.ts';
import { createToolCallRepository } from '../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTurnContextRepository } from '../../../src/modules/turns/context/turn-context-repository.ts';
import { createDirectTurnRepository } from '../../../src/modules/turns/direct/direct-turn-repository.ts';
import { createSteeringRepository } from '../../../src/modules/turns/messages/steering-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { unowned } from '../../../src/modules/turns/turn-rows.ts';
import type { Query } from '../../../src/platform/database/statement.ts';
import { listenForWakeups } from '../../../src/platform/database/wakeups.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';
import { openChunkWriter } from '../../labs/write-chunk.ts';

const rows = openForTests(openTurnRows);

/** A running turn that a process holds, with the calls of its first answer claimed by that process. */
async function holdTurn() {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const holder = newId();
  const inTurn = <Result>(run: (query: Query) => Promise<Result>) =>
    rows.database.transact(place.workspaceId, run);
  const take = (heldBy: string) =>
    inTurn((query) => createTurnContextRepository(query).hold(turn.id, heldBy));
  await take(holder);
  const toolCalls = [createToolCall(0, 'keyed'), createToolCall(1, 'read_only')];
  const answer = createAnswer(turn.id, { toolCalls, claimId: newId(), heldBy: holder });
  expect(await rows.storeAnswer(place, answer)).toBe(true);
  const at = (index: number) => ({ turnId: turn.id, iteration: 1, index });
  return { place, turn, toolCalls, holder, inTurn, take, at };
}

const toEnd = (id: string) => ({
  ...{ id, status: 'succeeded' as const, result: 'done' },
  event: { type: 'tool.executed', payload: {} } as never,
  audit: { type: 'tool.executed', payload: {} },
});

const readCalls = ({ id }: { id: string }) =>
  rows.database.system('tool_calls').where({ turn_id: id }).orderBy('index').select('status', 'attempts');

const countEvents = async ({ conversationId }: RowRef) => {
  const events = await rows.database.system('events').where({ conversation_id: conversationId });
  return events.length;
};

describe('a process that has lost its turn to another one', () => {
  test('stores no answer, also when the other one has stored none', async () => {
    const { place, turn, holder, take } = await holdTurn();
    const next = newId();
    await take(next);
    const before = await countEvents(place);
    const answer = { iteration: 2, outcome: 'completed' as const };
    expect(await rows.storeAnswer(place, createAnswer(turn.id, { ...answer, heldBy: holder }))).toBe(false);
    expect(await countEvents(place)).toBe(before);
    expect(await rows.storeAnswer(place, createAnswer(turn.id, { ...answer, heldBy: next }))).toBe(true);
  });

  test('claims no call, ends none and changes no effect', async () => {
    const { place, turn, toolCalls, holder, inTurn, take, at } = await holdTurn();
    const ledger = <Result>(run: (calls: ReturnType<typeof createToolCallRepository>) => Promise<Result>) =>
      inTurn((query) => run(createToolCallRepository(query)));
    const id = toolCalls[0]?.id ?? '';
    const stale = { id, attempts: 1, held_by: holder };
    await take(newId());
    const before = await countEvents(place);

    expect(await ledger((calls) => calls.claim(at(0), newId(), holder))).toBeNull();
    expect(await ledger((calls) => calls.finish(toEnd(id), stale))).toBeNull();
    expect(await countEvents(place)).toBe(before);
    expect(await readCalls(turn)).toMatchObject([
      { status: 'started', attempts: 1 },
      { status: 'started', attempts: 1 },
    ]);
  });

  test('closes no call of the turn when it comes to its next model call', async () => {
    const { turn, holder, inTurn, take } = await holdTurn();
    await take(newId());
    const taking = inTurn((query) =>
      takeSteering(
        {
          answers: createTurnAnswerRepository(query),
          toolCalls: createToolCallRepository(query),
          steering: createSteeringRepository(query),
          actions: createActionRepository(query),
          credits: createCreditLedgerRepository(query),
        },
        { turnId: turn.id, iteration: 2, hold: { id: holder, isTaken: true } },
      ),
    );
    await expect(taking).rejects.toThrow('lost');
    expect(await readCalls(turn)).toMatchObject([{ status: 'started' }, { status: 'started' }]);
  });

  test('stores and announces no pieces, and those of others in the same write are kept', async () => {
    const { place, turn, holder, take } = await holdTurn();
    const next = newId();
    await take(next);
    const wakeups = await listenForWakeups({ url: rows.url, listLastSeqs: () => Promise.resolve([]) });
    const announced: (string | null | undefined)[] = [];
    wakeups.onChunks(place.conversationId, ({ text }) => announced.push(text));
    const write = openChunkWriter(rows.database);
    const piece = { conversationId: place.conversationId, turnId: turn.id, iteration: 2, attempt: 1 };
    await Promise.all([
      write({ ...piece, text: 'of the lost process', heldBy: holder }),
      write({ ...piece, text: 'of the new one', heldBy: next }),
    ]);
    await expect.poll(() => announced).toEqual(['of the new one']);
    const stored = await rows.database
      .system('stream_chunks')
      .where({ turn_id: turn.id })
      .pluck<string[]>('text');
    expect(stored).toEqual(['of the new one']);
    await wakeups.close();
  });
});

test('the end of a call is refused that a later attempt has claimed, and its own is stored', async () => {
  const { turn, toolCalls, inTurn, at } = await holdTurn();
  const id = toolCalls[0]?.id ?? '';
  const ledger = <Result>(run: (calls: ReturnType<typeof createToolCallRepository>) => Promise<Result>) =>
    inTurn((query) => run(createToolCallRepository(query)));
  const later = await ledger((calls) => calls.claim(at(0)));
  expect(later).toMatchObject({ attempts: 2, status_before: 'started', held_by: null });
  if (!later) throw new Error('the call should be claimed');

  expect(await ledger((calls) => calls.finish(toEnd(id), { id, attempts: 1, held_by: null }))).toBeNull();
  await ledger((calls) => calls.setEffect({ id, attempts: 1, held_by: null }, 'unsafe'));
  expect(await ledger((calls) => calls.finish(toEnd(id), later))).not.toBeNull();
  expect(await readCalls(turn)).toMatchObject([{ status: 'succeeded', attempts: 2 }, {}]);
});

test('a worker that takes the turn of another one ends its hold', async () => {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  await rows.database.system('turns').where({ id: turn.id }).update({ direct_owner: unowned });
  const [owner, other] = [newId(), newId()];
  const holderOf = async () => {
    const [row] = await rows.database
      .system('turns')
      .where({ id: turn.id })
      .select<{ held_by: string | null }[]>('held_by');
    return row?.held_by;
  };
  expect(await createDirectTurnRepository(rows.database, owner).claim({ turnId: turn.id })).toBe(true);
  expect(await holderOf()).toBe(owner);
  const known = { running: [], taken: [], takesUnknown: true };
  const taken = await createDirectTurnRepository(rows.database, other).takeLost(known);
  expect(taken.map(({ id }) => id)).toContain(turn.id);
  expect(await holderOf()).toBeNull();
});
