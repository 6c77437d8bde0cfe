import { describe, expect, test } from 'vitest';
import { takeSteering } from '../../../activities/model/take-steering.ts';
import { closeOpenToolCalls } from '../../../activities/tool/close-tool-calls.ts';
import { createActionRepository } from '../../../src/modules/actions/action-repository.ts';
import { createGrantedCalls } from '../../../src/modules/actions/granted-calls.ts';
import { createGrantRepository } from '../../../src/modules/actions/grant-repository.ts';
import { createWaitingTurnRepository } from '../../../src/modules/actions/waiting-turn-repository.ts';
import { createCreditLedgerRepository } from '../../../src/modules/credits/credit-ledger-repository.ts';
import { createSteeringRepository } from '../../../src/modules/turns/messages/steering-repository.ts';
import { createToolCallRepository } from '../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { defineStatement, type Query } from '../../../src/platform/database/statement.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

/** A turn whose calls wait for approvals of the same tool, in the order of their ids. */
async function ask(count: number) {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const toolCalls = Array.from({ length: count }, (_, index) => createToolCall(index));
  await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls, claimId: newId() }));
  const transact = <Result>(run: (query: Query) => Promise<Result>) =>
    rows.database.transact(place.workspaceId, run);
  const request = { hash: 'hash', toolHash: 'tool', canRemember: true, timeoutMs: 60_000 };
  const actionIds: string[] = [];
  for (const { id, arguments: input } of toolCalls) {
    const action = await transact((query) =>
      createActionRepository(query).request({ ...request, toolCallId: id, arguments: input ?? {} }),
    );
    actionIds.push(action?.id ?? '');
  }
  return { ...place, turnId: turn.id, toolCallIds: toolCalls.map(({ id }) => id), actionIds, transact };
}

type Asked = Awaited<ReturnType<typeof ask>>;

function setTimes(actionIds: string[], times: { remind_at?: Date; expires_at?: Date }) {
  return rows.database.system('pending_actions').whereIn('id', actionIds).update(times);
}

/** As the activity that looks at what a turn waits for. */
function review({ transact, turnId }: Asked, { locksAll = false } = {}) {
  return transact(async (query) => {
    await createTurnAnswerRepository(query).lockTurn(turnId);
    await createWaitingTurnRepository(query).applyTime(turnId, { locksAll });
    return locksAll ? createSteeringRepository(query).cancelActions(turnId) : [];
  });
}

const decidedBy = { apiKeyId: null, actingFor: 'Ada' };

/** Approves an action; `between` runs while the action is locked, before the decision is stored. */
function decide({ transact }: Asked, actionId: string, between?: () => Promise<void>) {
  return transact(async (query) => {
    const actions = createActionRepository(query);
    const locked = await actions.lock(actionId);
    if (locked?.status !== 'pending') return locked?.status;
    await between?.();
    return approve(query, actionId);
  });
}

async function approve(query: Query, actionId: string) {
  const approval = { status: 'approved' as const, hash: 'hash', reason: null, approvedArguments: null };
  const { status } = await createActionRepository(query).decide({ actionId, decidedBy, ...approval });
  return status;
}

/** As `decide`, and approves all other calls of the tool that wait in the workspace. */
function remember({ transact, workspaceId }: Asked, actionId: string, between?: () => Promise<void>) {
  return transact(async (query) => {
    const granted = createGrantedCalls(query);
    await granted.lockForRemembering({ actionId, scope: 'workspace' });
    const locked = await createActionRepository(query).lock(actionId);
    if (locked?.status !== 'pending') return locked?.status;
    await between?.();
    const reach = { scope: 'workspace' as const, scopeId: workspaceId, toolHash: 'tool' };
    const until = new Date(Date.now() + 60_000).toISOString();
    const grant = await createGrantRepository(query).create({
      ...{ ...reach, actionId, until, createdBy: decidedBy, groups: [] },
      ...{ tool: locked.tool, target: null, pins: {} },
    });
    const waiting = await granted.listWaiting(reach);
    const others = waiting.map(({ id }) => id).filter((id) => id !== actionId);
    await granted.release({ id: grant?.id ?? '' }, others);
    return approve(query, actionId);
  });
}

/** Waits until a session of the database waits for a row that another one has locked. */
async function waitForWaiter(): Promise<void> {
  const listWaiters = () =>
    rows.database
      .system('pg_locks')
      .join('pg_stat_activity', 'pg_stat_activity.pid', 'pg_locks.pid')
      .where({ granted: false })
      .whereRaw('datname = current_database()')
      .select('pg_locks.pid');
  await eventually(listWaiters, (waiters) => waiters.length > 0);
}

/** Runs `first`, begins `second` when `first` has its locks, and lets `first` go on when `second` waits for it. */
async function meet<First, Second>(
  first: (between: () => Promise<void>) => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let begun: Promise<Second> | undefined;
  const firstEnd = first(async () => {
    begun = second();
    // It is awaited below; until then its failure must not end the process.
    begun.catch(() => undefined);
    await waitForWaiter();
  });
  return [await firstEnd, await (begun ?? second())];
}

async function listStatuses({ turnId }: Asked): Promise<string[]> {
  const found = rows.database.system('pending_actions').where({ turn_id: turnId }).orderBy('id');
  return (await found.select<{ status: string }[]>('status')).map(({ status }) => status);
}

const past = new Date(0);

describe('a decision that has locked its action is stored while', () => {
  test('a review expires another action and wants to remind of this one', async () => {
    const asked = await ask(2);
    const [expired = '', decided = ''] = asked.actionIds;
    await setTimes([expired], { expires_at: past });
    await setTimes([decided], { remind_at: past });
    const [status] = await meet(
      (between) => decide(asked, decided, between),
      () => review(asked),
    );

    expect(status).toBe('approved');
    expect(await listStatuses(asked)).toEqual(['expired', 'approved']);
  });

  test('a review expires another action and wants to cancel this one, since a message steers the turn', async () => {
    const asked = await ask(3);
    const [expired = '', decided = ''] = asked.actionIds;
    await setTimes([expired], { expires_at: past });
    const [status] = await meet(
      (between) => decide(asked, decided, between),
      () => review(asked, { locksAll: true }),
    );

    expect(status).toBe('approved');
    expect(await listStatuses(asked)).toEqual(['expired', 'approved', 'cancelled']);
  });

  test('a review wants to remind of it and of an action that the decision approves as well', async () => {
    const asked = await ask(2);
    await setTimes(asked.actionIds, { remind_at: past });
    const [status] = await meet(
      (between) => remember(asked, asked.actionIds[1] ?? '', between),
      () => review(asked),
    );

    expect(status).toBe('approved');
    expect(await listStatuses(asked)).toEqual(['approved', 'approved']);
  });
});

describe('while a turn is settled', () => {
  /** Locks a tool call, as statements that end it or ask about it do first. */
  const withCall =
    (asked: Asked, work: (query: Query) => Promise<unknown>) => (between: () => Promise<void>) =>
      asked.transact(async (query) => {
        await query(lockCall, { id: asked.toolCallIds[0] ?? '' });
        await between();
        return work(query);
      });
  const settle = ({ transact, turnId }: Asked) =>
    transact(async (query) => {
      await createTurnAnswerRepository(query).lockTurn(turnId);
      const repositories = {
        toolCalls: createToolCallRepository(query),
        actions: createActionRepository(query),
        credits: createCreditLedgerRepository(query),
      };
      await closeOpenToolCalls(repositories, turnId, 1);
    });

  test('a call of it that waits may end', async () => {
    const asked = await ask(2);
    const end = {
      ...{ id: asked.toolCallIds[0] ?? '', status: 'failed' as const },
      ...{ error: { code: 'TOOL_FAILED' as const, message: 'Broken.' } },
      ...{
        event: { type: 'tool.executed', payload: {} } as never,
        audit: { type: 'tool.executed', payload: {} },
      },
    };
    await meet(
      withCall(asked, (query) => createToolCallRepository(query).finish(end)),
      () => settle(asked),
    );

    expect(await listStatuses(asked)).toEqual(['cancelled', 'cancelled']);
  });

  test('a call of it may ask another question', async () => {
    const asked = await ask(1);
    const question = { kind: 'question' as const, question: 'Why?', hash: 'hash', timeoutMs: 60_000 };
    const [action] = await meet(
      withCall(asked, (query) =>
        createActionRepository(query).request({
          ...{ ...question, toolCallId: asked.toolCallIds[0] ?? '', arguments: {} },
        }),
      ),
      () => settle(asked),
    );

    expect(action).toMatchObject({ kind: 'question', status: 'pending' });
    expect(await listStatuses(asked)).toEqual(['cancelled', 'cancelled']);
  });
});

test('a call that ends late and the model call that takes a message meanwhile do not wait for each other', async () => {
  const asked = await ask(1);
  const { turnId, conversationId, transact } = asked;
  await rows.submit(asked, { onBusy: 'steer' });
  const end = {
    ...{ id: asked.toolCallIds[0] ?? '', status: 'failed' as const },
    ...{ error: { code: 'TOOL_FAILED' as const, message: 'Broken.' } },
    ...{
      event: { type: 'tool.executed', payload: {} } as never,
      audit: { type: 'tool.executed', payload: {} },
    },
  };
  const [, taken] = await meet(
    (between) =>
      transact(async (query) => {
        await query(lockCall, { id: end.id });
        await between();
        await createToolCallRepository(query).finish(end);
      }),
    () =>
      transact((query) =>
        takeSteering(
          {
            answers: createTurnAnswerRepository(query),
            toolCalls: createToolCallRepository(query),
            steering: createSteeringRepository(query),
            actions: createActionRepository(query),
            credits: createCreditLedgerRepository(query),
          },
          { turnId, iteration: 2 },
        ),
      ),
  );

  expect(taken).toHaveLength(1);
  const calls = rows.database.system('tool_calls').where({ conversation_id: conversationId });
  expect(await calls.pluck('status')).toEqual(['failed']);
});

const lockCall = defineStatement<{ id: string }, unknown>(
  'lock_call_of_test',
  'SELECT FROM tool_calls WHERE id = :id FOR UPDATE',
);

test('reviews, decisions, remembered approvals and steering of one conversation at the same time never wait for each other in a circle', async () => {
  const rounds = 30;
  for (let round = 0; round < rounds; round++) {
    const asked = await ask(8);
    const { actionIds } = asked;
    await setTimes(actionIds.slice(2), { remind_at: past });
    await setTimes(actionIds.slice(0, 2), { expires_at: past });
    const isSteered = round % 3 === 0;
    const ends = await Promise.allSettled([
      ...actionIds.slice(2).map((id) => decide(asked, id)),
      review(asked, { locksAll: isSteered }),
      ...(round % 3 === 1 ? [remember(asked, actionIds[5] ?? '')] : []),
      review(asked),
    ]);

    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    const statuses = await listStatuses(asked);
    expect(statuses.slice(0, 2)).toEqual(['expired', 'expired']);
    expect(statuses.slice(2).filter((one) => !['approved', 'cancelled'].includes(one))).toEqual([]);
  }
});
