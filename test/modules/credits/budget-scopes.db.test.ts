import { expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { createCreditLedgerRepository } from '../../../src/modules/credits/credit-ledger-repository.ts';
import { budgetPeriods, budgetScopes } from '../../../src/domain/budget.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

function reserve({ workspaceId }: RowRef, sourceId: string, part = 'model/1') {
  const call = { sourceId, part, kind: 'model', name: 'demo', credits: 100n } as const;
  return rows.database.pipelined(workspaceId, (query) => createCreditLedgerRepository(query).reserve(call));
}

const combinations = budgetScopes.flatMap((scope) => budgetPeriods.map((period) => ({ scope, period })));

test.each(combinations)(
  'a budget of a $scope by $period counts its calls, and stops the next one',
  async (kind) => {
    const place = await rows.createConversation();
    const other = await rows.createConversation({}, place.workspaceId);
    const ids = [newId(), newId()];
    const turns = [];
    for (const [index, one] of [place, other].entries()) {
      const { turn } = await rows.submit(one);
      const startedBy = JSON.stringify({ apiKeyId: null, actingFor: `user ${index}` });
      const change = { started_by: startedBy, swarm_id: ids[index] };
      await rows.database.system('turns').where({ id: turn.id }).update(change);
      turns.push(turn.id);
    }
    const { agentId, conversationId } = place;
    const subjects = { agent: agentId, conversation: conversationId, user: 'user 0', swarm: ids[0] };
    const subject = kind.scope === 'workspace' ? {} : { subject: subjects[kind.scope] ?? '' };
    const budget = await createBudget(rows, place, { ...kind, ...subject, credits: 150n });

    const [turnId = '', elsewhere = ''] = turns;
    expect(await reserve(place, turnId)).toMatchObject({ budgetId: budget.id, breaks: false });
    await rows.storeAnswer(place, createAnswer(turnId, { credits: 100n }));
    expect(await reserve(place, turnId, 'model/2')).toMatchObject({ breaks: true, spent: '100' });
    const beside = await reserve(other, elsewhere);
    if (kind.scope === 'workspace') expect(beside).toMatchObject({ breaks: true });
    else expect(beside).toBeNull();
    const stored = await rows.database.inWorkspace(place.workspaceId, (trx) =>
      createBudgetRepository(trx).getBudget(budget.id),
    );
    expect(stored).toMatchObject({ spent: '100', reserved: '0' });

    // The calls of an earlier period do not count in this one.
    const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    await rows.database.system('credit_entries').where({ source_id: turnId }).update({ at: longAgo });
    await rows.database.system('budgets').where({ id: budget.id }).delete();
    const later = await createBudget(rows, place, { ...kind, ...subject, credits: 150n });
    expect(later).toMatchObject({ spent: kind.period === 'total' ? '100' : '0' });
  },
);
