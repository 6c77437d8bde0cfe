import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBudget, updateBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import type { BudgetInput } from '../../../src/domain/budget.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

/** Each model call costs 1,000 credits, neither more nor less. */
const perCall = { input: 0, output: 0, perCall: 0.001 };

function addBudget(lab: TurnLab, input: Partial<BudgetInput> & { credits: bigint }) {
  return createBudget(lab, lab, { scope: 'workspace', period: 'total', ...input });
}

function getBudget(lab: TurnLab, id: string) {
  return lab.database.inWorkspace(lab.workspaceId, (trx) => createBudgetRepository(trx).getBudget(id));
}

const askForSum = { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] };

describe('under a budget', () => {
  let lab: TurnLab;

  beforeAll(async () => {
    lab = await shareTurnLab();
    await setPrices(lab, lab, { '*': perCall });
  });

  afterEach(async () => {
    // A new budget counts what was spent before.
    for (const table of ['budgets', 'credit_entries']) await lab.database.system(table).delete();
    await lab.database.inWorkspace(lab.workspaceId, async (trx) =>
      trx('workspace_prices').update({ prices: { '*': perCall } }),
    );
  });

  afterAll(() => lab.close());

  test.for(executionModes)(
    'a %s turn fails at the model call that would break it, which is not made',
    async (execution) => {
      const budget = await addBudget(lab, { credits: 1_500n });
      const scene = await lab.scene({ execution, tools: [calculate] });
      scene.reply(askForSum);
      const turn = await lab.waitForOutcome(await scene.say('How much is 20 + 3?'));
      expect(turn).toMatchObject({
        ...{ outcome: 'failed', iterations: 1, credits: '1000' },
        answer: 'The turn failed: a budget does not allow its next step.',
        error: {
          code: 'BUDGET_EXCEEDED',
          message: expect.stringContaining('has 1500, of which 1000 are spent') as string,
          details: { budgetId: budget.id, credits: '1500', spent: '1000', reserved: '0', needed: '1000' },
        },
      });
      expect(scene.requests()).toHaveLength(1);
      expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '1000', reserved: '0' });
    },
  );

  test.for(executionModes)(
    'a %s turn fails at the tool call that would break it, which does not run',
    async (execution) => {
      const budget = await addBudget(lab, { credits: 1_800n });
      const priced = { ...calculate, settings: { credits: '500' } };
      const scene = await lab.scene({ execution, tools: [priced] });
      scene.reply({ toolCalls: [...askForSum.toolCalls, ...askForSum.toolCalls] });
      const turn = await lab.waitForOutcome(await scene.say('How much is 20 + 3?'));
      expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' }, credits: '1500' });
      const statuses = turn.toolCalls.map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['failed', 'succeeded']);
      expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '1500', reserved: '0' });
    },
  );

  test('the answer of a call is limited to what was reserved for it', async () => {
    await lab.database.inWorkspace(lab.workspaceId, async (trx) =>
      trx('workspace_prices').update({ prices: { '*': { input: 1, output: 2, maxOutputTokens: 700 } } }),
    );
    const budget = await addBudget(lab, { credits: 100_000n });
    const scene = await lab.scene();
    scene.reply({ text: 'Hello.' });
    const turn = await lab.waitForOutcome(await scene.say('Hello'));
    expect(turn).toMatchObject({ outcome: 'completed', credits: '20' });
    expect(scene.requests()[0]?.body.max_tokens).toBe(700);
    expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '20', reserved: '0' });
    const [created] = (await lab.readEvents(scene.conversationId)).filter(
      ({ type }) => type === 'message.created',
    );
    expect(created?.payload).toMatchObject({ credits: '20' });
  });

  test.each([
    [20_000n, 10_000],
    [9_000n, 4_499],
    [4_098n, 2_048],
    [4_097n, null],
  ])('with %s credits left the answer is limited to %s tokens', async (credits, tokens) => {
    await lab.database.inWorkspace(lab.workspaceId, async (trx) =>
      trx('workspace_prices').update({ prices: { '*': { input: 0, output: 2, maxOutputTokens: 10_000 } } }),
    );
    await addBudget(lab, { credits });
    const scene = await lab.scene();
    if (tokens !== null) scene.reply({ text: 'Hello.' });
    const turn = await lab.waitForOutcome(await scene.say('Hello'));
    expect(turn.error?.code).toBe(tokens === null ? 'BUDGET_EXCEEDED' : undefined);
    expect(scene.requests().map(({ body }) => body.max_tokens)).toEqual(tokens === null ? [] : [tokens]);
  });

  test.for(executionModes)(
    'a person reads the message of the budget that ends a %s turn',
    async (execution) => {
      const message = 'That was all for today.';
      const budget = await addBudget(lab, { credits: 500n, message });
      const scene = await lab.scene({ execution });
      const read = async () => (await lab.waitForOutcome(await scene.say('Hello'))).answer;
      expect(await read()).toBe(message);
      await updateBudget(lab, lab, { id: budget.id, change: { message: null, credits: undefined } });
      expect(await read()).toBe('The turn failed: a budget does not allow its next step.');
      expect(await getBudget(lab, budget.id)).toMatchObject({ credits: '500', message: null });
    },
  );

  test('a model without a price is not called', async () => {
    await lab.database.inWorkspace(lab.workspaceId, async (trx) =>
      trx('workspace_prices').update({ prices: {} }),
    );
    await addBudget(lab, { credits: 100_000n });
    const scene = await lab.scene();
    const turn = await lab.waitForOutcome(await scene.say('Hello'));
    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'PRICE_UNKNOWN' } });
    expect(scene.requests()).toHaveLength(0);
  });

  test('calls of an agent that a turn calls count for the conversation of that turn', async () => {
    const called = await lab.scene();
    called.reply({ text: 'Twenty-three.' });
    const tool = {
      ...{ type: 'agent' as const, name: 'ask_expert', description: 'Asks the expert.' },
      ...{ schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] } },
      config: { agentId: called.agent.id },
    };
    const scene = await lab.scene({ tools: [tool] });
    const budget = await addBudget(lab, {
      scope: 'conversation',
      subject: scene.conversationId,
      credits: 2_000n,
    });
    scene.reply({ toolCalls: [{ name: 'ask_expert', arguments: { message: 'How much is 20 + 3?' } }] });
    const turn = await lab.waitForOutcome(await scene.say('Ask the expert.'));
    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' }, credits: '1000' });
    expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '2000', reserved: '0' });
  });

  test.for(executionModes)(
    'a %s turn fails at the summary that would break it, which is made when there is credit again',
    async (execution) => {
      const scene = await lab.scene({ execution, compaction: 'summarize', compactionThreshold: 500 });
      const subject = scene.conversationId;
      const { id } = await addBudget(lab, { scope: 'conversation', subject, credits: 1_500n });
      const say = async (text: string) => lab.waitForOutcome(await scene.say(text));
      // Two of these are longer than the context may be. A server that reports no usage teaches nothing.
      scene.reply({ text: 'So.', usage: null });
      await say('first'.padEnd(1_200, '.'));
      const refused = await say('second'.padEnd(1_200, '.'));
      expect(refused).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' }, credits: '0' });
      expect(scene.requests()).toHaveLength(1);
      expect(await getBudget(lab, id)).toMatchObject({ spent: '1000', reserved: '0' });

      await updateBudget(lab, lab, { id, change: { credits: 10_000n } });
      scene.reply({ text: 'Of the first one.' }, { text: 'Done.', usage: null });
      const turn = await say('third');
      expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.', credits: '2000' });
      expect(await getBudget(lab, id)).toMatchObject({ spent: '3000', reserved: '0' });
      const events = await lab.readEvents(scene.conversationId);
      expect(events.flatMap((one) => (one.type === 'context.compacted' ? [one.payload] : []))).toMatchObject([
        { kind: 'summarize', text: 'Of the first one.', credits: '1000', error: null },
      ]);
      const entries = await lab.database
        .system('credit_entries')
        .where({ source_id: turn.id })
        .orderBy('part');
      expect(entries).toMatchObject([
        { part: 'model/1', kind: 'model', status: 'settled' },
        { part: 'summary/1/1', kind: 'summary', status: 'settled' },
      ]);
    },
  );

  test('what a turn has reserved is given back when it is cancelled', async () => {
    const budget = await addBudget(lab, { credits: 10_000n });
    const scene = await lab.scene();
    scene.reply({ text: 'Late.', delayMs: 60_000 });
    const turnId = await scene.say('Hello');
    await scene.waitForRequest(1);
    expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '0', reserved: '1000' });
    await lab.cancelTurn(turnId);
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled', credits: '0' });
    expect(await getBudget(lab, budget.id)).toMatchObject({ spent: '0', reserved: '0' });
  });
});
