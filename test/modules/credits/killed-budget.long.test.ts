import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { eventually } from '../../labs/eventually.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

/** Each model call costs 1,000 credits, neither more nor less. */
const perCall = { input: 0, output: 0, perCall: 0.001 };

const askForSum = { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] };

describe('fifty turns under one budget', { timeout: 240_000 }, () => {
  let lab: TurnLab;
  beforeAll(async () => {
    lab = await startTurnLab({ worker: false });
  });
  afterAll(() => lab.close());

  test('never pass it while their workers are killed, and each call counts once', async () => {
    await setPrices(lab, lab, { '*': perCall });
    const budget = await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 60_500n });
    const workers = await Promise.all([lab.startWorkerProcess(), lab.startWorkerProcess()]);
    const turnIds = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const execution = index % 2 === 0 ? 'direct' : 'inspectable';
        const limits = { activityTimeoutMs: 60_000, turnTimeoutMs: 200_000 };
        const scene = await lab.scene({ execution, limits, tools: [calculate] });
        // A call that was cut off is made again, by as many attempts as workers are lost or late.
        const once = { delayMs: 200, isOptional: true };
        const again = [
          { ...askForSum, ...once, when: isFirst },
          { text: '23', ...once, when: isLast },
        ];
        scene.reply(...Array.from({ length: 10 }, () => again).flat());
        return scene.say('How much is 20 + 3?');
      }),
    );
    for (const requests of [10, 35]) {
      await eventually(
        () => lab.model.requests.length,
        (count) => count >= requests,
      );
      await workers.shift()?.kill();
      workers.push(await lab.startWorkerProcess());
    }
    const turns = await Promise.all(turnIds.map(lab.waitUntilSettled));

    // A turn may also fail because too many attempts of its model call were cut off.
    const refused = turns.filter(({ error }) => error?.code === 'BUDGET_EXCEEDED');
    expect(refused.length).toBeGreaterThan(0);
    for (const { outcome, error } of refused) {
      expect(outcome).toBe('failed');
      const { spent, reserved, needed } = error?.details as Record<string, string>;
      const held = [spent, reserved, needed].reduce((sum, credits) => sum + Number(credits), 0);
      expect(held).toBeGreaterThan(60_500);
      expect(held).toBeLessThanOrEqual(61_500);
    }
    const spent = turns.reduce((sum, { credits }) => sum + Number(credits), 0);
    const answers = turns.reduce((sum, { iterations }) => sum + iterations, 0);
    expect(answers).toBeLessThanOrEqual(60);
    expect(spent).toBe(answers * 1000);
    const entries = await lab.database.system('credit_entries').where({ status: 'settled' });
    expect(entries).toHaveLength(answers);
    const counted = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      createBudgetRepository(trx).getBudget(budget.id),
    );
    expect(counted).toMatchObject({ spent: String(spent), reserved: '0' });
    expect(await lab.database.system('credit_entries').where({ status: 'reserved' })).toEqual([]);

    // Calls of turns that ended at the same time may be left to the sweeper to count.
    await lab.sweep();
    const warnings = await lab.database.system('events').where({ type: 'budget.warning' }).pluck('payload');
    expect(warnings).toMatchObject(spent >= 48_400 ? [{ budgetId: budget.id, credits: '60500' }] : []);
  });
});

function isFirst({ messages }: { messages: { role: string }[] }): boolean {
  return messages.at(-1)?.role === 'user';
}

function isLast({ messages }: { messages: { role: string }[] }): boolean {
  return messages.at(-1)?.role === 'tool';
}
