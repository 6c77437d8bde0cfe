import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createBudget,
  deleteBudget,
  updateBudget,
} from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import { createSwarmRepository } from '../../../src/modules/swarms/swarm-repository.ts';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Swarm, SwarmDetails } from '../../../src/domain/swarm.ts';
import { findSubtaskId, startSwarmLab, toCallLine, type SwarmLab } from '../../labs/swarm-scene.ts';

let scene: SwarmLab;
let agent: Agent;

/** Each model call costs 1,000 credits, neither more nor less. Subtasks named `slow` do not end by themselves. */
beforeAll(async () => {
  scene = await startSwarmLab({
    answer: (body) => (findSubtaskId(body) === 'slow' ? { text: 'I am at', hang: true } : undefined),
  });
  await setPrices(scene.lab, scene.lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
  // A member that waits for a swarm inside of its own has as much time as that one.
  agent = await scene.createAgent({ functions: ['spawn_swarm'], limits: { turnTimeoutMs: 60_000 } });
});

afterAll(() => scene.close());

const start = (ids: string[], limits: object, more: object = {}) =>
  scene.start({ ...toOrder(ids, limits), ...more });

function toOrder(ids: string[], limits: object) {
  const subtasks = ids.map((id) => ({ id, description: `Do ${id}.`, assignee: agent.id }));
  return { kind: 'rich', goal: 'Keep to the limits.', subtasks, limits };
}

/** A swarm with one subtask whose turn starts another swarm and waits for it. */
async function startNested(limits: object, inside: object) {
  const description = toCallLine('spawn_swarm', inside);
  const subtasks = [{ id: 'outer', description, assignee: agent.id }];
  const { id } = await scene.start({ kind: 'rich', goal: 'Keep to the limits.', subtasks, limits });
  return { outer: await scene.waitForEnd(id), inside: await findInside(id) };
}

async function findInside(swarmId: string): Promise<SwarmDetails> {
  const { items } = await scene.lab.database.pipelined(scene.lab.workspaceId, (query) =>
    createSwarmRepository(query).listSwarms({ limit: 100 }),
  );
  const found = items.find(({ parentSwarmId }: Swarm) => parentSwarmId === swarmId);
  return scene.read(found?.id ?? '');
}

function findBudgets({ id }: Pick<Swarm, 'id'>) {
  return scene.lab.database.inWorkspace(scene.lab.workspaceId, async (trx) => {
    const { items } = await createBudgetRepository(trx).listBudgets({ limit: 100 });
    return items.filter(({ subject }) => subject === id);
  });
}

describe.concurrent('a swarm', () => {
  test('makes no call that would break its limit of credits, and ends with what is done and left', async () => {
    const swarm = await start(['a', 'b', 'c', 'd', 'e', 'f', 'g'], { credits: '3500', concurrency: 4 });
    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({ status: 'stopped', creditsUsed: '3000', limits: { credits: '3500' } });
    expect(ended.reason).toMatch(
      /^The limit of 3500 credits was reached: A call of compatible\/planned was not made.*Done: 3 of 7 subtasks; left: /,
    );
    const refused = ended.state.subTasks.filter(({ error }) => error?.code === 'BUDGET_EXCEEDED');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ attempts }) => attempts !== 1)).toEqual([]);
    const entries = await scene.lab.database.system('credit_entries').where({ swarm_id: swarm.id });
    expect(entries.filter(({ status }) => status === 'settled')).toHaveLength(3);
    expect(await findBudgets(swarm)).toEqual([]);
  });

  test('has its limit of credits among the budgets while it runs, where it cannot be changed', async () => {
    const swarm = await start(['slow'], { credits: 5_000 });
    onTestFinished(async () => {
      await scene.lab.client.workflow.getHandle(`swarm-${swarm.id}`).cancel();
      await scene.waitForEnd(swarm.id);
    });
    const [limit] = await findBudgets(swarm);

    expect(limit).toMatchObject({ scope: 'swarm', period: 'total', credits: '5000', spent: '0' });
    const id = limit?.id ?? '';
    const change = { id, change: { credits: 9_000n } };
    await expect(updateBudget(scene.lab, scene.lab, change)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(deleteBudget(scene.lab, scene.lab, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('gives a swarm inside of it no more than it has left of each limit', async () => {
    const limits = { turns: 6, timeMs: 60_000, tokens: 100_000, credits: 50_000, depth: 1 };
    const wanted = { turns: 100, timeMs: 900_000, tokens: 900_000, credits: 900_000, depth: 3 };
    const { outer, inside } = await startNested(limits, toOrder(['x', 'y'], wanted));

    expect(outer).toMatchObject({ status: 'completed', turnsUsed: 3, creditsUsed: '4000' });
    expect(inside).toMatchObject({
      ...{ status: 'completed', depth: 1, parentSwarmId: outer.id, turnsUsed: 2, creditsUsed: '2000' },
      limits: { turns: 5, credits: '49000', depth: 0 },
    });
    expect(inside.limits.tokens).toBeLessThan(100_000);
    expect(Date.parse(inside.deadlineAt)).toBeLessThanOrEqual(Date.parse(outer.deadlineAt) + 1);
  });

  test('keeps smaller limits of a swarm inside of it, which stops at them alone', async () => {
    const small = { turns: 1, credits: '9000' };
    const { outer, inside } = await startNested({ turns: 6, credits: 50_000 }, toOrder(['x', 'y'], small));

    expect(inside).toMatchObject({ status: 'stopped', limits: small });
    expect(inside.reason).toBe('The limit of 1 turns was reached. Done: 1 of 2 subtasks; left: y.');
    expect(outer).toMatchObject({ status: 'completed', turnsUsed: 2 });
  });

  test('stops with the swarms inside of it when their calls have used its credits', async () => {
    const { outer, inside } = await startNested({ credits: 3_500 }, toOrder(['v', 'w', 'x', 'y', 'z'], {}));

    expect(inside).toMatchObject({ status: 'stopped', creditsUsed: '2000', limits: { credits: '2500' } });
    expect(inside.reason).toMatch(/^The limit of (2500 credits|3500 credits of a swarm above) was reached/);
    // The last call of the member would have been the fourth one.
    expect(outer).toMatchObject({ status: 'stopped', creditsUsed: '3000' });
    expect(outer.reason).toMatch(
      /^The limit of 3500 credits was reached: .* Done: 0 of 1 subtasks; left: outer\.$/,
    );
  });

  test('goes on without the agent whose own budget is used up, and fails only the subtasks of that agent', async () => {
    const { lab } = scene;
    const poor = await scene.createAgent({ name: 'Poor' });
    await createBudget(lab, lab, { scope: 'agent', subject: poor.id, period: 'total', credits: 1_500n });
    const subtask = (id: string, { id: assignee }: Agent, before: string[] = []) => ({
      ...{ id, description: `Do ${id}.`, assignee, depends_on: before },
    });
    const subtasks = [
      ...[subtask('poor 1', poor), subtask('poor 2', poor, ['poor 1'])],
      ...[subtask('rich 1', agent, ['poor 1']), subtask('rich 2', agent, ['rich 1'])],
    ];
    const ended = await scene.waitForEnd((await start([], {}, { subtasks })).id);

    expect(ended).toMatchObject({
      ...{ status: 'failed', reason: '1 subtasks were left: poor 2.', turnsUsed: 4, creditsUsed: '3000' },
      state: {
        subTasks: [
          { status: 'done' },
          { status: 'failed', attempts: 1, error: { code: 'BUDGET_EXCEEDED' } },
          { status: 'done' },
          { status: 'done' },
        ],
      },
    });
  });

  test('may start swarms as deep as the topmost one allows', async () => {
    const innermost = toOrder(['z'], { depth: 3 });
    const inner = toCallLine('spawn_swarm', innermost);
    const subtasks = [{ id: 'inner', description: inner, assignee: agent.id }];
    const { inside } = await startNested({ depth: 1 }, { ...innermost, subtasks });

    expect(inside).toMatchObject({ status: 'completed', depth: 1, limits: { depth: 0 } });
    const turn = await scene.lab.readTurn(inside.state.subTasks[0]?.turn_id ?? '');
    expect(turn.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'AGENT_DEPTH_EXCEEDED' } }]);
  });
});

describe('a swarm under a budget of its workspace', () => {
  test('stops when the budget lets none of its members go on', async () => {
    const { lab } = scene;
    const budget = await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 10n ** 9n });
    await updateBudget(lab, lab, { id: budget.id, change: { credits: BigInt(budget.spent) + 2_500n } });

    const ended = await scene.waitForEnd((await start(['a', 'b', 'c', 'd'], { concurrency: 1 })).id);

    expect(ended).toMatchObject({ status: 'stopped', creditsUsed: '2000', turnsUsed: 3 });
    expect(ended.reason).toMatch(
      /^A budget was reached: .* the budget of the workspace has .* left: c, d\.$/,
    );
  });
});
