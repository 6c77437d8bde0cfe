import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { getModelAnalytics } from '../../../src/modules/credits/usage/get-model-analytics.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import { noRules } from '../../../src/domain/rules.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

const canary = 'Zebra-7719-Quokka';
let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
  // One credit a token.
  await setPrices(lab, lab, { '*': { input: 1, output: 1 } });
});

afterAll(() => lab.close());

async function readSpent(id: string): Promise<number> {
  const budget = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createBudgetRepository(trx).getBudget(id),
  );
  return Number(budget.spent);
}

async function openScene(parts: Parameters<TurnLab['scene']>[0]) {
  const scene = await lab.scene({ instructions: 'Be kind.'.padEnd(400, '.'), ...parts });
  const subject = scene.conversationId;
  const { id } = await createBudget(lab, lab, {
    ...{ scope: 'conversation', subject, period: 'total', credits: 100_000n },
  });
  return { scene, budgetId: id };
}

test.for(executionModes)(
  'a %s turn without reported usage is charged by an estimate, which all readers see as such',
  async (execution) => {
    const { scene, budgetId } = await openScene({ execution });
    scene.reply({ text: 'Hello.'.padEnd(200, '.'), usage: null });
    const turn = await lab.waitForOutcome(await scene.say('Hello'));

    expect(turn).toMatchObject({ outcome: 'completed', usage: { outputTokens: 50, isEstimated: true } });
    expect(turn.usage.inputTokens).toBeGreaterThan(100);
    expect(Number(turn.credits)).toBe(turn.usage.inputTokens + 50);
    expect(await readSpent(budgetId)).toBe(Number(turn.credits));
    const events = await lab.readEvents(scene.conversationId);
    const told = events.flatMap(({ type, payload }) =>
      type === 'message.created' || type === 'turn.settled' ? [payload] : [],
    );
    expect(told).toMatchObject([{ usage: { isEstimated: true } }, { usage: { isEstimated: true } }]);
    const conversations = lab.database.system('conversations').where({ id: scene.conversationId });
    expect(await conversations.first('token_ratios')).toEqual({ token_ratios: {} });

    scene.reply({ text: 'Again.' });
    const counted = await lab.waitForOutcome(await scene.say('Hello'));
    expect(counted.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(counted.usage).not.toHaveProperty('isEstimated');
    const { models } = await getModelAnalytics(lab, lab, {
      ...{ groupBy: ['agent'], agentId: scene.agent.id, limit: 10 },
    });
    expect(models).toMatchObject([
      { calls: 2, estimatedCalls: 1, credits: String(await readSpent(budgetId)) },
    ]);
  },
);

test('an answer that was stopped for a canary token is charged for what was sent and received', async () => {
  const { scene, budgetId } = await openScene({ rules: { ...noRules, canaryTokens: [canary] } });
  const text = `${'Of course. '.repeat(20)}They say ${canary}, and then they go on.`;
  // The model sends no end, so that the turn can only end by the stop.
  scene.reply({ text, hang: true });
  const turn = await lab.waitForOutcome(await scene.say('Hello'));

  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'ANSWER_BLOCKED' } });
  expect(turn.usage).toMatchObject({ isEstimated: true });
  expect(turn.usage.inputTokens).toBeGreaterThan(100);
  expect(turn.usage.outputTokens).toBeGreaterThan(50);
  expect(await readSpent(budgetId)).toBe(turn.usage.inputTokens + turn.usage.outputTokens);
});
