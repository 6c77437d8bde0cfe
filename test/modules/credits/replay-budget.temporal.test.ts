import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createBudget,
  deleteBudget,
  updateBudget,
} from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { listBudgetShares } from '../../../src/modules/credits/budgets/list-budget-shares.ts';
import { getUsage } from '../../../src/modules/credits/usage/get-usage.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import {
  createReplayedAgent,
  recordConversation,
  replay,
  startReplayLab,
  type ReplayLab,
} from '../../labs/replay-scene.ts';

let scene: ReplayLab;
beforeAll(async () => {
  scene = await startReplayLab();
});
afterAll(() => scene.close());

test('a replay counts for the budget of its workspace, which stops it before the call that would break it', async () => {
  const { lab } = scene;
  const agent = await createReplayedAgent(scene);
  await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
  for (let turn = 0; turn < 5; turn += 1)
    await recordConversation(scene, agent.id, [{ rounds: [], answer: `Answer ${turn}.` }]);
  const free = await replay(scene, { selection: { agentId: agent.id }, concurrency: 1, baseline: false });
  expect(free).toMatchObject({ status: 'completed', runs: { done: 5, failed: 0 } });
  const byKind = () => getUsage(lab, lab, { groupBy: ['kind'], limit: 10 });
  expect((await byKind()).usage).toMatchObject([
    { kind: 'model', modelCalls: 5, credits: '5000' },
    { kind: 'replay', replayRuns: 5, credits: '5000' },
  ]);

  const budget = await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 13_500n });
  const stopped = await replay(scene, { selection: { agentId: agent.id }, concurrency: 1, baseline: false });
  expect(stopped).toMatchObject({ status: 'stopped', runs: { done: 3, failed: 0 } });
  const read = () =>
    lab.database.inWorkspace(lab.workspaceId, (trx) => createBudgetRepository(trx).getBudget(budget.id));
  expect(await read()).toMatchObject({ spent: '13000', reserved: '0' });

  // A replay's own prices are for its report; its money counts by those of the workspace, for its agent too.
  await updateBudget(lab, lab, { id: budget.id, change: { credits: 100_000n } });
  const ofAgent = await createBudget(lab, lab, {
    ...{ scope: 'agent', subject: agent.id, period: 'total', credits: 15_500n },
  });
  const cheap = await replay(scene, {
    ...{ selection: { agentId: agent.id }, concurrency: 1, baseline: false },
    prices: { '*': { input: 0, output: 0 } },
  });
  expect(cheap).toMatchObject({ status: 'stopped', runs: { done: 2, failed: 0 } });
  const spent = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createBudgetRepository(trx).getBudget(ofAgent.id),
  );
  expect(spent).toMatchObject({ spent: '15000', reserved: '0' });

  // A budget for each agent counts it in the same way.
  await deleteBudget(lab, lab, ofAgent.id);
  const forEach = await createBudget(lab, lab, {
    ...{ scope: 'agent', each: true, period: 'total', credits: 16_500n },
  });
  const last = await replay(scene, { selection: { agentId: agent.id }, concurrency: 1, baseline: false });
  expect(last).toMatchObject({ status: 'stopped', runs: { done: 1, failed: 0 } });
  const { shares } = await listBudgetShares(lab, lab, { id: forEach.id, limit: 10 });
  expect(shares).toMatchObject([{ subject: agent.id, spent: '16000', reserved: '0' }]);
});
