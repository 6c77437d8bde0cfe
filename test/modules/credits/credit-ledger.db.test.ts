import { describe, expect, test } from 'vitest';
import { createBudget, updateBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { getUsage } from '../../../src/modules/credits/usage/get-usage.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import {
  createCreditLedgerRepository,
  type CallToReserve,
} from '../../../src/modules/credits/credit-ledger-repository.ts';
import { createTurnAnswerRepository } from '../../../src/modules/turns/turn-answer-repository.ts';
import { findTurnRow } from '../../../src/modules/turns/turn-rows.ts';
import type { BudgetInput } from '../../../src/domain/budget.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, insertWebhook, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

/** A conversation with a running turn, in a workspace with budgets. */
async function startTurn(...budgets: BudgetInput[]) {
  const place = await rows.createConversation();
  const stored = [];
  for (const input of budgets) stored.push(await createBudget(rows, place, input));
  const { turn } = await rows.submit(place);
  return { place, turnId: turn.id, budgets: stored };
}

const ofWorkspace = (credits: bigint, period: BudgetInput['period'] = 'month'): BudgetInput => ({
  ...{ scope: 'workspace', period, credits },
});

function reserve({ workspaceId }: RowRef, sourceId: string, more: Partial<CallToReserve> = {}) {
  const call = { sourceId, part: 'model/1', kind: 'model', name: 'demo', credits: 100n, ...more } as const;
  return rows.database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).reserve(call));
}

function countSettled({ workspaceId }: RowRef) {
  return rows.database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).countSettled());
}

interface Answered {
  turnId: string;
  credits: bigint | null;
  iteration?: number;
  model?: string;
}

function answer(place: RowRef, { turnId, ...parts }: Answered) {
  return rows.storeAnswer(place, createAnswer(turnId, parts));
}

function getBudget({ workspaceId }: RowRef, id = '') {
  return rows.database.inWorkspace(workspaceId, (trx) => createBudgetRepository(trx).getBudget(id));
}

interface Entry {
  part: string;
  status: string;
  credits: number;
  counted: boolean;
  priced: boolean;
}

function listEntries(turnId: string): Promise<Entry[]> {
  return rows.database
    .system('credit_entries')
    .where({ source_id: turnId })
    .orderBy('part')
    .select('part', 'status', 'credits', 'counted', 'priced');
}

async function settle({ workspaceId }: RowRef, turnId: string) {
  await rows.database.transact(workspaceId, (query) =>
    createTurnAnswerRepository(query).settleTurn({
      ...{ turnId, outcome: 'failed', answer: 'It failed.', error: null },
      event: {
        type: 'turn.settled',
        payload: {
          outcome: 'failed',
          answer: 'It failed.',
          error: null,
          iterations: 1,
          usage: createAnswer(turnId).usage,
        },
      },
    }),
  );
}

describe('the cost of a model call', () => {
  test('is stored once with its answer, and stands on its turn', async () => {
    const { place, turnId } = await startTurn();
    expect(await answer(place, { turnId, credits: 70n })).toBe(true);
    expect(await answer(place, { turnId, credits: 70n })).toBe(false);
    expect(await listEntries(turnId)).toEqual([
      { part: 'model/1', status: 'settled', credits: 70, counted: true, priced: true },
    ]);
    const [turn] = await rows.database.pipelined(place.workspaceId, (query) =>
      query(findTurnRow, { turnId }),
    );
    expect(turn?.credits).toBe(70);
  });

  test('of a model without a price is nothing, and is marked', async () => {
    const { place, turnId } = await startTurn();
    await answer(place, { turnId, credits: null });
    expect(await listEntries(turnId)).toMatchObject([{ credits: 0, priced: false }]);
    const { usage } = await getUsage(rows, place, { groupBy: ['model'], limit: 10 });
    expect(usage).toMatchObject([
      { model: 'demo', modelCalls: 1, unpricedCalls: 1, credits: '0', inputTokens: 3 },
    ]);
  });
});

describe('a reservation', () => {
  test('is not made where no budget counts the call', async () => {
    const other = await rows.createConversation();
    const { place, turnId } = await startTurn({
      ...{ scope: 'agent', subject: other.agentId, period: 'day', credits: 0n },
    });
    expect(await reserve(place, turnId)).toBeNull();
    expect(await listEntries(turnId)).toEqual([]);
  });

  test('is taken over by the model that answers for another one, which the usage then names', async () => {
    const { place, turnId } = await startTurn(ofWorkspace(500n));
    await reserve(place, turnId, { name: 'large' });
    await reserve(place, turnId, { name: 'medium' });
    const listNames = () =>
      rows.database.system('credit_entries').where({ source_id: turnId }).pluck<string[]>('name');
    expect(await listNames()).toEqual(['medium']);
    await answer(place, { turnId, credits: 40n, model: 'small' });
    const { usage } = await getUsage(rows, place, { groupBy: ['model'], limit: 10 });
    expect(usage).toMatchObject([{ model: 'small', modelCalls: 1, credits: '40' }]);
  });

  test('holds credits until the call is settled with what it has cost', async () => {
    const { place, turnId, budgets } = await startTurn(ofWorkspace(150n));
    expect(await reserve(place, turnId)).toMatchObject({ breaks: false, spent: '0', reserved: '0' });
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ spent: '0', reserved: '100' });
    await answer(place, { turnId, credits: 40n });
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ spent: '40', reserved: '0' });
    await countSettled(place);
    await countSettled(place);
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ spent: '40', reserved: '0' });
  });

  test('of a later attempt, and of one that overlaps it, replaces that of the earlier one', async () => {
    const { place, turnId, budgets } = await startTurn(ofWorkspace(150n));
    const attempts = await Promise.all(Array.from({ length: 10 }, () => reserve(place, turnId)));
    expect(attempts.every((one) => one?.breaks === false)).toBe(true);
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ reserved: '100' });
    const answers = await Promise.all([30n, 40n, 50n].map((credits) => answer(place, { turnId, credits })));
    expect(answers.filter(Boolean)).toHaveLength(1);
    // A late attempt reserves nothing for a call that is settled.
    await reserve(place, turnId);
    await countSettled(place);
    const [entry] = await listEntries(turnId);
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({
      spent: String(entry?.credits),
      reserved: '0',
    });
  });

  test('is refused when it would break any budget that counts the call, and says what is spent', async () => {
    const { place, turnId, budgets } = await startTurn(ofWorkspace(1_000n), ofWorkspace(120n, 'day'));
    await reserve(place, turnId);
    await answer(place, { turnId, credits: 60n });
    expect(await reserve(place, turnId, { part: 'model/2' })).toEqual({
      ...{ budgetId: budgets[1]?.id, scope: 'workspace', subject: null, period: 'day', breaks: true },
      ...{ credits: '120', spent: '60', reserved: '0', message: null },
    });
    expect(await listEntries(turnId)).toMatchObject([{ part: 'model/1', status: 'settled', counted: true }]);
  });

  test('of a call without a price is refused', async () => {
    const { place, turnId } = await startTurn(ofWorkspace(1_000n));
    expect(await reserve(place, turnId, { credits: null })).toMatchObject({ breaks: true });
  });

  test('is given back when its turn ends without it', async () => {
    const { place, turnId, budgets } = await startTurn(ofWorkspace(150n));
    await reserve(place, turnId);
    await settle(place, turnId);
    expect(await listEntries(turnId)).toMatchObject([{ status: 'released', credits: 0 }]);
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ spent: '0', reserved: '0' });
  });

  test('of fifty turns at once never passes the budget', async () => {
    const place = await rows.createConversation();
    const budget = await createBudget(rows, place, ofWorkspace(1_000n));
    const turns = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const one = await rows.createConversation({}, place.workspaceId);
        return { one, turnId: (await rows.submit(one)).turn.id };
      }),
    );
    const reserved = await Promise.all(
      turns.map(async ({ one, turnId }) => {
        const reservation = await reserve(one, turnId);
        if (reservation?.breaks === false) await answer(one, { turnId, credits: 100n });
        return reservation?.breaks;
      }),
    );
    expect(reserved.filter((breaks) => breaks === false)).toHaveLength(10);
    expect(await getBudget(place, budget.id)).toMatchObject({ spent: '1000', reserved: '0' });
  });
});

describe('a budget', () => {
  test('of a new period begins with nothing spent', async () => {
    const { place, turnId, budgets } = await startTurn(
      ofWorkspace(100n, 'day'),
      ofWorkspace(1_000n, 'total'),
    );
    await answer(place, { turnId, credits: 90n });
    await rows.database.system('credit_entries').update({ at: new Date(Date.now() - 48 * 3_600_000) });
    await countSettled(place);
    expect(await getBudget(place, budgets[0]?.id)).toMatchObject({ spent: '0' });
    expect(await getBudget(place, budgets[1]?.id)).toMatchObject({ spent: '90', periodStartsAt: null });
    expect(await reserve(place, turnId, { part: 'model/2' })).toMatchObject({ breaks: false });
  });

  test('counts what was spent in its period before it was created', async () => {
    const { place, turnId } = await startTurn();
    await answer(place, { turnId, credits: 90n });
    const budget = await createBudget(rows, place, {
      scope: 'agent',
      subject: place.agentId,
      period: 'total',
      credits: 500n,
    });
    expect(budget).toMatchObject({ spent: '90', credits: '500' });
    await answer(place, { turnId, credits: 10n, iteration: 2 });
    const later = await createBudget(rows, place, {
      scope: 'conversation',
      subject: place.conversationId,
      period: 'month',
      credits: 500n,
    });
    await countSettled(place);
    expect(await getBudget(place, budget.id)).toMatchObject({ spent: '100' });
    expect(await getBudget(place, later.id)).toMatchObject({ spent: '100' });
  });

  test('of a user and of a swarm counts the calls of the turns that were started for them', async () => {
    const place = await rows.createConversation();
    const swarmId = place.agentId;
    const budgets = [
      await createBudget(rows, place, { scope: 'user', subject: 'Ada', period: 'month', credits: 150n }),
      await createBudget(rows, place, { scope: 'swarm', subject: swarmId, period: 'total', credits: 150n }),
    ];
    const { turn } = await rows.submit(place);
    expect(await reserve(place, turn.id)).toBeNull();
    const change = { started_by: JSON.stringify({ apiKeyId: null, actingFor: 'Ada' }), swarm_id: swarmId };
    await rows.database.system('turns').where({ id: turn.id }).update(change);
    await reserve(place, turn.id);
    for (const { id } of budgets) expect(await getBudget(place, id)).toMatchObject({ reserved: '100' });
    const { usage } = await getUsage(rows, place, { groupBy: ['user'], user: 'Ada', limit: 10 });
    expect(usage).toEqual([]);
    await answer(place, { turnId: turn.id, credits: 70n });
    const later = await getUsage(rows, place, { groupBy: ['user'], user: 'Ada', limit: 10 });
    expect(later.usage).toMatchObject([{ user: 'Ada', credits: '70' }]);
  });

  test('warns once in its period, in the event log and to webhooks, and again after it was raised', async () => {
    const { place, turnId, budgets } = await startTurn(ofWorkspace(100n, 'total'));
    await rows.database.inWorkspace(place.workspaceId, (trx) =>
      insertWebhook(trx, { events: ['budget.warning'] }),
    );
    const listWarnings = () =>
      rows.database.system('events').where({ turn_id: turnId, type: 'budget.warning' }).pluck('payload');
    const countTold = async () =>
      rows.database
        .system('webhook_deliveries')
        .where({ workspace_id: place.workspaceId, type: 'budget.warning', status: 'pending' })
        .pluck('data');
    await answer(place, { turnId, credits: 79n });
    await countSettled(place);
    expect(await listWarnings()).toEqual([]);
    await answer(place, { turnId, credits: 1n, iteration: 2 });
    await countSettled(place);
    await answer(place, { turnId, credits: 5n, iteration: 3 });
    await countSettled(place);
    const state = {
      budgetId: budgets[0]?.id,
      scope: 'workspace',
      subject: null,
      period: 'total',
      credits: '100',
      spent: '80',
    };
    expect(await listWarnings()).toEqual([state]);
    expect(await countTold()).toEqual([state]);
    await updateBudget(rows, place, { id: budgets[0]?.id ?? '', change: { credits: 200n } });
    await answer(place, { turnId, credits: 90n, iteration: 4 });
    await countSettled(place);
    expect(await listWarnings()).toHaveLength(2);
  });

  test('is refused when there is one of the same scope and period', async () => {
    const { place } = await startTurn(ofWorkspace(100n));
    await expect(createBudget(rows, place, ofWorkspace(200n))).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

test('the usage is paged, the dearest group first', async () => {
  const { place, turnId } = await startTurn();
  for (const iteration of [1, 2, 3]) await answer(place, { turnId, credits: BigInt(iteration), iteration });
  await rows.database
    .system('credit_entries')
    .where({ source_id: turnId, part: 'model/3' })
    .update({ name: 'other' });
  const first = await getUsage(rows, place, { groupBy: ['model', 'day'], limit: 1 });
  expect(first).toMatchObject({ usage: [{ model: 'demo', credits: '3', modelCalls: 2 }], nextCursor: '1' });
  const second = await getUsage(rows, place, { groupBy: ['model', 'day'], limit: 1, cursor: '1' });
  expect(second).toMatchObject({ usage: [{ model: 'other', credits: '3' }], nextCursor: null });
});
