import { describe, expect, test } from 'vitest';
import {
  createToolCallRepository,
  type ClaimedToolCall,
  type ToolCallEnd,
  type ToolCallPosition,
} from '../../../../src/modules/turns/calls/tool-call-repository.ts';
import type { ToolEffect } from '../../../../src/domain/tool.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

type Ledger = ReturnType<typeof createToolCallRepository>;

function inLedger<Result>(place: RowRef, run: (ledger: Ledger) => Promise<Result>): Promise<Result> {
  return rows.database.transact(place.workspaceId, (query) => run(createToolCallRepository(query)));
}

/** A turn whose model has asked for one tool call of each effect. */
async function startTurnWithCalls(...effects: ToolEffect[]) {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const toolCalls = effects.map((effect, index) => createToolCall(index, effect));
  await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls, finishReason: 'tool_calls' }));
  const at = (index: number) => ({ turnId: turn.id, iteration: 1, index });
  return { place, turn, toolCalls, at };
}

async function claim(place: RowRef, position: ToolCallPosition): Promise<ClaimedToolCall> {
  const claimed = await inLedger(place, (ledger) => ledger.claim(position));
  if (!claimed) throw new Error('there should be a call to claim');
  return claimed;
}

function readEvents({ conversationId }: RowRef) {
  return rows.database
    .system('events')
    .where({ conversation_id: conversationId })
    .orderBy('seq')
    .select<{ seq: number; type: string; payload: Record<string, unknown> }[]>('seq', 'type', 'payload');
}

function succeeded(id: string, result = 'done'): ToolCallEnd {
  return {
    id,
    status: 'succeeded',
    result,
    resultBytes: result.length,
    event: {
      type: 'tool.executed',
      payload: {
        toolCallId: id,
        iteration: 1,
        index: 0,
        name: 'tool_0',
        durationMs: 1,
        resultPreview: result,
      },
    },
    audit: { type: 'tool.executed', payload: { tool_name: 'tool_0' } },
  };
}

describe('claiming a tool call', () => {
  test('starts it and appends an event', async () => {
    const { place, at } = await startTurnWithCalls('unsafe');
    const claimed = await inLedger(place, (ledger) => ledger.claim(at(0)));

    expect(claimed).toMatchObject({
      status: 'started',
      status_before: 'requested',
      attempts: 1,
      runs: true,
      cancel_requested: false,
      started_at: expect.any(Date) as Date,
    });
    expect((await readEvents(place)).at(-1)).toMatchObject({
      seq: 3,
      type: 'tool.started',
      payload: { toolCallId: claimed?.id, iteration: 1, index: 0, name: 'tool_0', attempt: 1 },
    });
  });

  test.each(['read_only', 'idempotent', 'keyed'] as const)(
    'for a second time runs a %s call again',
    async (effect) => {
      const { place, at } = await startTurnWithCalls(effect);
      await inLedger(place, (ledger) => ledger.claim(at(0)));
      const again = await inLedger(place, (ledger) => ledger.claim(at(0)));

      expect(again).toMatchObject({ status: 'started', status_before: 'started', attempts: 2, runs: true });
      expect((await readEvents(place)).filter(({ type }) => type === 'tool.started')).toHaveLength(2);
    },
  );

  test('for a second time does not run a call that may have acted', async () => {
    const { place, at } = await startTurnWithCalls('unsafe');
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    const again = await inLedger(place, (ledger) => ledger.claim(at(0)));

    expect(again).toMatchObject({ status: 'started', status_before: 'started', attempts: 1, runs: false });
    expect((await readEvents(place)).filter(({ type }) => type === 'tool.started')).toHaveLength(1);
  });

  test.each(['unsafe', 'keyed'] as const)(
    'again under the same claim, whose answer was lost, changes nothing for a %s call',
    async (effect) => {
      const { place, at } = await startTurnWithCalls(effect);
      const claimId = newId();
      const [first, again] = [
        await inLedger(place, (ledger) => ledger.claim(at(0), claimId)),
        await inLedger(place, (ledger) => ledger.claim(at(0), claimId)),
      ];

      expect(again).toMatchObject({ status: 'started', status_before: 'requested', attempts: 1, runs: true });
      expect(again?.started_at).toEqual(first?.started_at);
      expect((await readEvents(place)).filter(({ type }) => type === 'tool.started')).toHaveLength(1);
    },
  );

  test('again under the same claim still tells that an earlier attempt may have acted', async () => {
    const { place, at } = await startTurnWithCalls('keyed');
    const claimId = newId();
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    await inLedger(place, (ledger) => ledger.claim(at(0), claimId));
    const again = await inLedger(place, (ledger) => ledger.claim(at(0), claimId));

    expect(again).toMatchObject({ status_before: 'started', attempts: 2, runs: true });
  });

  test('after its end returns the stored result and runs nothing', async () => {
    const { place, at, toolCalls } = await startTurnWithCalls('keyed');
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    await inLedger(place, (ledger) => ledger.finish(succeeded(toolCalls[0]?.id ?? '', 'stored')));
    const again = await inLedger(place, (ledger) => ledger.claim(at(0)));

    expect(again).toMatchObject({ status: 'succeeded', result: 'stored', attempts: 1, runs: false });
  });

  test('by concurrent attempts lets one run a call that may act only once', async () => {
    const { place, at } = await startTurnWithCalls('unsafe');
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => inLedger(place, (ledger) => ledger.claim(at(0)))),
    );

    expect(claims.filter((claim) => claim?.runs)).toHaveLength(1);
    expect(claims.every((claim) => claim?.attempts === 1)).toBe(true);
    expect((await readEvents(place)).filter(({ type }) => type === 'tool.started')).toHaveLength(1);
  });

  test('that was released lets it run again, whatever its effect', async () => {
    const { place, at } = await startTurnWithCalls('unsafe');
    const claimed = await claim(place, at(0));
    await inLedger(place, (ledger) => ledger.release(claimed));

    expect(await inLedger(place, (ledger) => ledger.claim(at(0)))).toMatchObject({ runs: true, attempts: 2 });
  });

  test('is kept by a release when an earlier attempt may have acted, or a later one has claimed it', async () => {
    const { place, at } = await startTurnWithCalls('keyed');
    const first = await claim(place, at(0));
    const second = await claim(place, at(0));
    await inLedger(place, (ledger) => ledger.release(first));
    await inLedger(place, (ledger) => ledger.release(second));

    expect(await claim(place, at(0))).toMatchObject({ status_before: 'started', attempts: 3 });
  });

  test('reports a cancel request', async () => {
    const { place, at, turn } = await startTurnWithCalls('unsafe');
    await rows.database.system('turns').where({ id: turn.id }).update({ cancel_requested_at: new Date() });

    expect(await inLedger(place, (ledger) => ledger.claim(at(0)))).toMatchObject({ cancel_requested: true });
  });

  test('finds nothing when its turn is settled or the call does not exist', async () => {
    const { place, at, turn } = await startTurnWithCalls('keyed');
    expect(await inLedger(place, (ledger) => ledger.claim(at(7)))).toBeNull();
    await rows.database.system('turns').where({ id: turn.id }).update({ status: 'cancelled' });

    expect(await inLedger(place, (ledger) => ledger.claim(at(0)))).toBeNull();
  });
});

describe('ending a tool call', () => {
  test('stores result, event and audit event together', async () => {
    const { place, at, toolCalls } = await startTurnWithCalls('unsafe');
    const id = toolCalls[0]?.id ?? '';
    await inLedger(place, (ledger) => ledger.claim(at(0)));

    expect(await inLedger(place, (ledger) => ledger.finish(succeeded(id)))).not.toBeNull();
    const row = await rows.database.system('tool_calls').where({ id }).first<Record<string, unknown>>();
    expect(row).toMatchObject({
      status: 'succeeded',
      result: 'done',
      result_bytes: 4,
      result_truncated: false,
    });
    expect(row.ended_at).toBeInstanceOf(Date);
    expect((await readEvents(place)).at(-1)).toMatchObject({ type: 'tool.executed' });
    expect(await rows.database.system('audit_pending').where({ subject_id: id })).toMatchObject([
      { type: 'tool.executed', workspace_id: place.workspaceId },
    ]);
  });

  test('stores the parts of a result with its text', async () => {
    const { place, at, toolCalls } = await startTurnWithCalls('unsafe');
    const id = toolCalls[0]?.id ?? '';
    const { turnId, iteration } = at(0);
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    const content = { content: [{ type: 'text', text: 'a\0b' }], structuredContent: { sum: 5 } };
    await inLedger(place, (ledger) => ledger.finish({ ...succeeded(id), content }));
    const [row] = await inLedger(place, (ledger) => ledger.listOfIteration(turnId, iteration));
    expect(row?.result_content).toEqual({
      content: [{ type: 'text', text: 'a\ufffdb' }],
      structuredContent: { sum: 5 },
    });
  });

  test('stores nothing when one of the parts is refused', async () => {
    const { place, at, toolCalls } = await startTurnWithCalls('unsafe');
    const id = toolCalls[0]?.id ?? '';
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    const before = await readEvents(place);
    const end = { ...succeeded(id), status: 'asleep' as 'succeeded' };

    await expect(inLedger(place, (ledger) => ledger.finish(end))).rejects.toThrow();
    expect(await readEvents(place)).toEqual(before);
    expect(await rows.database.system('tool_calls').where({ id })).toMatchObject([{ status: 'started' }]);
    expect(await rows.database.system('audit_pending').where({ subject_id: id })).toEqual([]);
  });

  test('by concurrent attempts stores one end', async () => {
    const { place, at, toolCalls } = await startTurnWithCalls('unsafe');
    const id = toolCalls[0]?.id ?? '';
    await inLedger(place, (ledger) => ledger.claim(at(0)));
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        inLedger(place, (ledger) => ledger.finish(succeeded(id, `result ${index}`))),
      ),
    );

    expect(ends.filter(Boolean)).toHaveLength(1);
    const winner = `result ${ends.findIndex(Boolean)}`;
    expect(await rows.database.system('tool_calls').where({ id })).toMatchObject([{ result: winner }]);
    expect((await readEvents(place)).filter(({ type }) => type === 'tool.executed')).toHaveLength(1);
    expect(await rows.database.system('audit_pending').where({ subject_id: id })).toHaveLength(1);
  });
});

test('calls of one conversation that end at the same time number their events without a gap', async () => {
  const effects = Array.from({ length: 20 }, (): ToolEffect => 'unsafe');
  const { place, at, toolCalls } = await startTurnWithCalls(...effects);
  await Promise.all(
    toolCalls.map(async ({ id, index }) => {
      await inLedger(place, (ledger) => ledger.claim(at(index)));
      await inLedger(place, (ledger) => ledger.finish(succeeded(id)));
    }),
  );
  const events = await readEvents(place);

  expect(events).toHaveLength(42);
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
});

test('open calls are the requested and started calls up to an iteration', async () => {
  const { place, at, turn, toolCalls } = await startTurnWithCalls('unsafe', 'read_only', 'keyed');
  await inLedger(place, (ledger) => ledger.claim(at(1)));
  await inLedger(place, (ledger) => ledger.claim(at(2)));
  await inLedger(place, (ledger) => ledger.finish(succeeded(toolCalls[2]?.id ?? '')));
  await rows.storeAnswer(
    place,
    createAnswer(turn.id, { iteration: 2, toolCalls: [createToolCall(0)], finishReason: 'tool_calls' }),
  );
  const open = await inLedger(place, (ledger) => ledger.listOpen(turn.id, 1));

  expect(open.map(({ index, status }) => [index, status])).toEqual([
    [0, 'requested'],
    [1, 'started'],
  ]);
  expect(await inLedger(place, (ledger) => ledger.listOfIteration(turn.id, 1))).toHaveLength(3);
});
