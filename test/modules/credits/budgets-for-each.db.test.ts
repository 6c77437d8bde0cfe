import { describe, expect, test } from 'vitest';
import {
  createBudget,
  deleteBudget,
  updateBudget,
} from '../../../src/modules/credits/budgets/change-budgets.ts';
import { listBudgetShares } from '../../../src/modules/credits/budgets/list-budget-shares.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { createCreditLedgerRepository } from '../../../src/modules/credits/credit-ledger-repository.ts';
import { createCreditSweepRepository } from '../../../src/modules/credits/credit-sweep-repository.ts';
import { budgetPeriods, type BudgetInput } from '../../../src/domain/budget.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createRandom } from '../../labs/random.ts';
import { createAnswer, insertWebhook, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

/** Starts a turn of a new agent in the workspace, for a person or for nobody. */
async function startTurn(workspaceId?: string, person: string | null = null) {
  const place = await rows.createConversation({}, workspaceId);
  const { turn } = await rows.submit(place);
  await startFor(turn.id, person);
  return { place, turnId: turn.id };
}

async function startFor(turnId: string, person: string | null) {
  const startedBy = JSON.stringify({ apiKeyId: null, actingFor: person });
  await rows.database.system('turns').where({ id: turnId }).update({ started_by: startedBy });
}

interface TurnOfPlace {
  place: RowRef;
  turnId: string;
}

function reserve(
  { place: { workspaceId }, turnId: sourceId }: TurnOfPlace,
  part = 'model/1',
  credits = 100n,
) {
  const call = { sourceId, part, kind: 'model', name: 'demo', credits } as const;
  return rows.database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).reserve(call));
}

function countSettled({ workspaceId }: RowRef) {
  return rows.database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).countSettled());
}

/** Stores an answer that has cost so much. */
function pay({ place, turnId }: TurnOfPlace, credits: bigint, iteration = 1) {
  return rows.storeAnswer(place, createAnswer(turnId, { credits, iteration }));
}

async function listShares(place: RowRef, id: string) {
  const { shares } = await listBudgetShares(rows, place, { id, limit: 100 });
  return shares.map(({ subject, spent, reserved }) => ({ subject, spent, reserved }));
}

const forEachUser = (credits: bigint, period: BudgetInput['period'] = 'day'): BudgetInput => ({
  ...{ scope: 'user', each: true, period, credits },
});

const combinations = (['agent', 'conversation', 'user'] as const).flatMap((scope) =>
  budgetPeriods.map((period) => ({ scope, period })),
);

test.each(combinations)('a budget for each $scope by $period stops the one who spent it', async (kind) => {
  const ada = await startTurn(undefined, 'Ada');
  const bob = await startTurn(ada.place.workspaceId, 'Bob');
  const budget = await createBudget(rows, ada.place, { ...kind, each: true, credits: 150n });
  expect(budget).toMatchObject({ subject: null, each: true, spent: '0' });

  const subject = { agent: ada.place.agentId, conversation: ada.place.conversationId, user: 'Ada' }[
    kind.scope
  ];
  expect(await reserve(ada)).toMatchObject({ budgetId: budget.id, subject, breaks: false });
  const beside = await reserve(ada, 'model/2');
  expect(beside).toMatchObject({ breaks: true, subject, spent: '0', reserved: '100' });
  expect(await reserve(bob)).toMatchObject({ breaks: false, spent: '0', reserved: '0' });
  await pay(ada, 100n);
  const refused = await reserve(ada, 'model/2');
  expect(refused).toMatchObject({ breaks: true, subject, credits: '150', spent: '100' });
  expect(await listShares(ada.place, budget.id)).toEqual([
    { subject, spent: '100', reserved: '0' },
    { subject: expect.any(String) as string, spent: '0', reserved: '100' },
  ]);

  // The calls of an earlier period do not count in this one.
  const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  await rows.database.system('credit_entries').where({ source_id: ada.turnId }).update({ at: longAgo });
  await deleteBudget(rows, ada.place, budget.id);
  const later = await createBudget(rows, ada.place, { ...kind, each: true, credits: 150n });
  expect(later).toMatchObject({ spent: kind.period === 'total' ? '100' : '0', reserved: '100' });
});

describe('a budget for each user', () => {
  test('counts the names of one person together, in any case and form, and shows the last', async () => {
    const { place, turnId } = await startTurn(undefined, 'Zoë Lovelace');
    const budget = await createBudget(rows, place, forEachUser(150n));
    await pay({ place, turnId }, 60n);
    const names = ['ZOË LOVELACE', 'Zoe\u0308 Lovelace', 'Ｚoë Lovelace'];
    for (const [index, name] of names.entries()) {
      await startFor(turnId, name);
      await pay({ place, turnId }, 20n, index + 2);
      await countSettled(place);
    }
    expect(await listShares(place, budget.id)).toEqual([{ subject: names[2], spent: '120', reserved: '0' }]);
    await startFor(turnId, 'zoë lovelace');
    expect(await reserve({ place, turnId }, 'model/9')).toMatchObject({
      breaks: true,
      subject: 'zoë lovelace',
    });
  });

  test('does not count what nobody asked for', async () => {
    const { place, turnId } = await startTurn();
    const budget = await createBudget(rows, place, forEachUser(0n));
    expect(await reserve({ place, turnId })).toBeNull();
    await pay({ place, turnId }, 50n);
    await countSettled(place);
    expect(await listShares(place, budget.id)).toEqual([]);
  });

  test('counts what each has spent before it was created, also what no budget had counted', async () => {
    const { place, turnId } = await startTurn(undefined, 'Ada');
    const bob = await startTurn(place.workspaceId, 'Bob');
    await pay({ place, turnId }, 90n);
    const first = await createBudget(rows, place, forEachUser(500n, 'total'));
    await pay(bob, 70n);
    const later = await createBudget(rows, place, forEachUser(500n, 'month'));
    for (const { id } of [first, later])
      expect(await listShares(place, id)).toEqual([
        { subject: 'Ada', spent: '90', reserved: '0' },
        { subject: 'Bob', spent: '70', reserved: '0' },
      ]);
    expect(later.spent).toBe('160');
  });

  test('stands beside a budget of one of them, and the tighter decides', async () => {
    const { place, turnId } = await startTurn(undefined, 'Ada');
    const bob = await startTurn(place.workspaceId, 'Bob');
    await createBudget(rows, place, forEachUser(1_000n));
    const own = await createBudget(rows, place, {
      ...{ scope: 'user', subject: 'ada', period: 'day', credits: 50n },
    });
    expect(await reserve({ place, turnId })).toMatchObject({
      budgetId: own.id,
      subject: 'ada',
      breaks: true,
    });
    expect(await reserve(bob)).toMatchObject({ subject: 'Bob', breaks: false });
  });

  test('warns once for each of them, and again after it was raised', async () => {
    const { place, turnId } = await startTurn(undefined, 'Ada');
    const bob = await startTurn(place.workspaceId, 'Bob');
    const budget = await createBudget(rows, place, forEachUser(100n));
    await rows.database.inWorkspace(place.workspaceId, (trx) =>
      insertWebhook(trx, { events: ['budget.warning'] }),
    );
    const listWarnings = async (id: string) =>
      (await rows.database
        .system('events')
        .where({ turn_id: id, type: 'budget.warning' })
        .pluck('payload')) as unknown[];
    const state = { budgetId: budget.id, scope: 'user', subject: 'Ada', period: 'day', credits: '100' };
    for (const iteration of [1, 2, 3]) {
      await pay({ place, turnId }, 45n, iteration);
      await countSettled(place);
    }
    expect(await listWarnings(turnId)).toEqual([{ ...state, spent: '90' }]);
    await pay(bob, 85n);
    await countSettled(place);
    expect(await listWarnings(bob.turnId)).toEqual([{ ...state, subject: 'Bob', spent: '85' }]);
    const told = await rows.database
      .system('webhook_deliveries')
      .where({ workspace_id: place.workspaceId, type: 'budget.warning', status: 'pending' })
      .orderBy('created_at')
      .pluck('data');
    expect(told).toEqual([
      { ...state, spent: '90' },
      { ...state, subject: 'Bob', spent: '85' },
    ]);

    await updateBudget(rows, place, { id: budget.id, change: { credits: 120n } });
    for (const one of [
      { place, turnId },
      { place: bob.place, turnId: bob.turnId },
    ]) {
      await pay(one, 12n, 9);
      await countSettled(one.place);
    }
    // Ada is above the share of the raised budget, so she is not warned again.
    expect(await listWarnings(turnId)).toHaveLength(1);
    expect(await listWarnings(bob.turnId)).toHaveLength(2);
  });

  test('is one for its scope and period, and is paged', async () => {
    const { place, turnId } = await startTurn(undefined, 'Ada');
    const bob = await startTurn(place.workspaceId, 'Bob');
    const budget = await createBudget(rows, place, forEachUser(100n));
    const again = createBudget(rows, place, forEachUser(200n));
    await expect(again).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is a budget of each user for the period "day". Change that one.',
    });
    await pay({ place, turnId }, 20n);
    await pay(bob, 30n);
    const first = await listBudgetShares(rows, place, { id: budget.id, limit: 1 });
    expect(first).toMatchObject({ shares: [{ subject: 'Bob' }], nextCursor: '1' });
    const rest = await listBudgetShares(rows, place, { id: budget.id, limit: 1, cursor: '1' });
    expect(rest).toMatchObject({ shares: [{ subject: 'Ada' }], nextCursor: null });
  });

  test('forgets what was counted in periods that are over', async () => {
    const { place, turnId } = await startTurn(undefined, 'Ada');
    const daily = await createBudget(rows, place, forEachUser(100n));
    const whole = await createBudget(rows, place, forEachUser(100n, 'total'));
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await pay({ place, turnId }, 20n);
    await rows.database.system('credit_entries').where({ source_id: turnId }).update({ at: yesterday });
    await pay({ place, turnId }, 5n, 2);
    await countSettled(place);
    await createCreditSweepRepository(rows.database.system).forgetShares(100);
    const left = await rows.database
      .system('budget_shares')
      .where({ workspace_id: place.workspaceId })
      .orderBy('spent')
      .select('budget_id', 'spent');
    expect(left).toEqual([
      { budget_id: daily.id, spent: 5 },
      { budget_id: whole.id, spent: 25 },
    ]);
  });
});

test('another budget has no shares', async () => {
  const { place } = await startTurn();
  const budget = await createBudget(rows, place, { scope: 'workspace', period: 'day', credits: 1n });
  const asked = listBudgetShares(rows, place, { id: budget.id, limit: 1 });
  await expect(asked).rejects.toMatchObject({ code: 'CONFLICT' });
});

test(
  'random calls of three people and two agents keep within what each has',
  { timeout: 120_000 },
  async () => {
    const random = createRandom(72);
    const pick = <One>(ones: readonly [One, ...One[]]): One => ones[random(ones.length)] ?? ones[0];
    const people = ['Ada', 'Bob', 'Cleo'] as const;
    const first = await startTurn(undefined, 'Ada');
    const { workspaceId } = first.place;
    const second = await startTurn(workspaceId, 'Ada');
    const limits = { user: 700n, agent: 900n, workspace: 1_500n };
    const budgets = await Promise.all([
      createBudget(rows, first.place, { ...forEachUser(limits.user) }),
      createBudget(rows, first.place, { scope: 'agent', each: true, period: 'month', credits: limits.agent }),
      createBudget(rows, first.place, { scope: 'workspace', period: 'total', credits: limits.workspace }),
    ]);
    const spent = new Map<string, bigint>();
    const read = (key: string) => spent.get(key) ?? 0n;
    const outcomes = { made: 0, refused: 0 };
    for (let call = 1; call <= 60; call++) {
      const { place, turnId } = pick([first, second]);
      const person = pick(people);
      await startFor(turnId, pick([person, person.toUpperCase()]));
      const credits = BigInt(1 + random(120));
      const shares = [
        { key: person, limit: limits.user },
        { key: place.agentId, limit: limits.agent },
        { key: 'workspace', limit: limits.workspace },
      ];
      const breaks = shares.some(({ key, limit }) => read(key) + credits > limit);
      const reservation = await reserve({ place, turnId }, `model/${call}`, credits);
      expect(reservation).toMatchObject({ breaks });
      outcomes[breaks ? 'refused' : 'made'] += 1;
      if (breaks) continue;
      await pay({ place, turnId }, credits, call);
      for (const { key } of shares) spent.set(key, read(key) + credits);
      if (random(4) === 0) await countSettled(place);
    }
    expect(Math.min(outcomes.made, outcomes.refused)).toBeGreaterThan(5);
    const [ofUsers, ofAgents] = budgets;
    const shown = [
      ...(await listShares(first.place, ofUsers.id)).map((one) => [one.subject.toLowerCase(), one.spent]),
      ...(await listShares(first.place, ofAgents.id)).map((one) => [one.subject, one.spent]),
    ];
    const counted = [...spent].filter(([key]) => key !== 'workspace');
    expect(new Map(shown as [string, string][])).toEqual(
      new Map(counted.map(([key, credits]) => [key.toLowerCase(), String(credits)])),
    );
    const whole = await rows.database.inWorkspace(workspaceId, (trx) =>
      createBudgetRepository(trx).getBudget(ofUsers.id),
    );
    expect(whole.spent).toBe(String(read('workspace')));
  },
);
