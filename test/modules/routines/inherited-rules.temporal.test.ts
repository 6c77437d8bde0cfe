import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../../src/modules/credits/workspace-prices.ts';
import type { Rules } from '../../../src/domain/rules.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { agentTool, ask } from '../../labs/child-tools.ts';
import { eventually } from '../../labs/eventually.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import type { HttpServer } from '../../servers/http-server.ts';
import { startPetServer, type PetRequest } from '../../servers/pet-server.ts';
import { call, fine, pay, ruled, startRulesLab } from '../../workflows/rules-lab.ts';

let rules: Awaited<ReturnType<typeof startRulesLab>>;
let pets: HttpServer & { requests: PetRequest[] };

beforeAll(async () => {
  [rules, pets] = await Promise.all([startRulesLab(), startPetServer()]);
});

beforeEach(() => {
  rules.reached.splice(0);
  pets.requests.splice(0);
});

afterAll(() => Promise.all([rules.close(), pets.close()]));

const runRoutine: ToolInput = {
  ...{ type: 'function' as const, name: 'run_routine', description: 'Runs routines.' },
  ...{ schema: { type: 'object' }, config: {} },
};

let documents = 0;

/** An agent with rules, the agent that it asks, and a routine that this one starts. */
async function createChain(above: Partial<Rules>, tasks: string, { acts = true, inheritRules = true } = {}) {
  const helper = await createRoutineScene(rules.lab, ruled({}, [pay, runRoutine]));
  const asking = agentTool('helper', helper.agent.id, { config: { inheritRules } });
  const parent = await rules.lab.scene(ruled(above, [pay, asking]));
  documents += 1;
  const { id } = await helper.store(
    toDocument(`inherits-${documents}`, tasks),
    acts ? helper.agent.id : null,
  );
  return { helper, parent, start: call('run_routine', { action: 'start', routineId: id }), routineId: id };
}

type Chain = Awaited<ReturnType<typeof createChain>>;

/** Waits until the runs of a routine have ended, those that started first before the others. */
async function endRuns({ helper, routineId }: Chain, count = 1) {
  const list = () =>
    rules.lab.database
      .system('routine_runs')
      .where({ routine_id: routineId })
      .orderBy('created_at')
      .pluck<string[]>('id');
  const ids = await eventually(list, (found) => found.length === count);
  return Promise.all(ids.map((id) => helper.end(id)));
}

/** Plays a turn of the agent above whose child starts the routine so often, one run after the other. */
async function play(chain: Chain, count = 1) {
  chain.helper.reply(...Array.from({ length: count }, () => chain.start), fine);
  const { turn } = await rules.play(chain.parent, ask('helper'), fine);
  return { turn, runs: await endRuns(chain, count) };
}

const payTask = '  - pay: { call: pay, with: { amount: 11 } }';
const listed = { toolAllowlist: ['helper', 'run_routine'] };

describe('a tool that is blocked for an agent', () => {
  test.each([
    ['that acts as the agent below', payTask, true],
    ['that acts as the agent that starts it', payTask, false],
  ])('is blocked in a routine %s', async (_which, tasks, acts) => {
    const chain = await createChain(listed, tasks, { acts });
    const { runs } = await play(chain);
    expect(runs).toMatchObject([{ status: 'faulted', error: { title: 'TOOL_BLOCKED' } }]);
    expect(rules.reached).toEqual([]);
  });

  test('is blocked in the routines and agents below that routine', async () => {
    const last = await rules.lab.scene(ruled({}, [pay]));
    last.reply(call('pay', { amount: 1 }), fine);
    const other = await createRoutineScene(rules.lab, ruled({}, [pay]));
    await other.store(toDocument('inherits-inner', payTask));
    const chain = await createChain(
      { toolAllowlist: [...listed.toolAllowlist, 'agent'] },
      `  - ask: { call: agent, with: { agentId: ${last.agent.id}, message: Pay. } }
  - run: { run: { workflow: { namespace: test, name: inherits-inner, version: latest } } }`,
    );
    const { runs } = await play(chain);
    // The agent completes its turn without the tool; the routine below does not.
    expect(runs).toMatchObject([
      { status: 'faulted', error: { title: 'TOOL_BLOCKED', instance: '/do/0/pay' } },
    ]);
    expect(runs[0]?.steps.map(({ state }) => state)).toEqual(['completed', 'faulted']);
    expect(rules.reached).toEqual([]);
  });

  test('may be called by a routine of another agent, unless rules are handed down to it', async () => {
    const owner = await createRoutineScene(rules.lab, ruled({}, [pay]));
    const { id } = await owner.store(toDocument('inherits-lent', payTask));
    const start = call('run_routine', { action: 'start', routineId: id });
    const caller = await rules.lab.scene(ruled({ toolAllowlist: ['run_routine'] }, [runRoutine]));
    await rules.play(caller, start, fine);
    expect(rules.reached).toEqual([{ amount: 11 }]);

    const handing: ToolInput = { ...runRoutine, config: { inheritRules: true } };
    const strict = await rules.lab.scene(ruled({ toolAllowlist: ['run_routine'] }, [handing]));
    const { turn } = await rules.play(strict, start, fine);
    const [answer] = await rules.lab.readLedger(turn.id);
    expect(JSON.parse(answer?.result ?? '')).toMatchObject({ error: { title: 'TOOL_BLOCKED' } });
    expect(rules.reached).toEqual([{ amount: 11 }]);
  });

  test('sends no request for the document of an API either', async () => {
    const tasks = `  - list: { call: openapi, with: { document: { endpoint: '${pets.url}/openapi.json' }, operationId: listPets } }`;
    const { runs } = await play(await createChain(listed, tasks));
    expect(runs).toMatchObject([{ status: 'faulted', error: { title: 'TOOL_BLOCKED' } }]);
    expect(pets.requests).toEqual([]);
  });
});

describe('a limit of calls of an agent', () => {
  const twice = '  - first: { call: pay, with: { amount: 1 } }\n  - next: { call: pay, with: { amount: 2 } }';

  test('holds in the routines of its child, with and without its policies', async () => {
    const chain = await createChain({ toolPolicies: { pay: { maxCallsPerTurn: 3 } } }, twice, {
      inheritRules: false,
    });
    const { runs } = await play(chain, 2);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'faulted']);
    expect(rules.reached).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 1 }]);
  });

  test('counts a day once where a routine acts as the agent that starts it', async () => {
    const caller = await createRoutineScene(
      rules.lab,
      ruled({ toolPolicies: { pay: { maxCallsPerDay: 3, maxCallsPerTurn: 3 } } }, [pay, runRoutine]),
    );
    const { id } = await caller.store(toDocument('inherits-day', twice), null);
    const start = call('run_routine', { action: 'start', routineId: id });
    const { turn } = await rules.play(caller, start, call('pay', { amount: 3 }), start, fine);
    expect(rules.reached).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 3 }]);
    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test('holds for branches of a routine that call at the same time', async () => {
    const caller = await createRoutineScene(
      rules.lab,
      ruled({ toolPolicies: { pay: { maxCallsPerTurn: 2 } } }),
    );
    const branches = Array.from({ length: 6 }, (_, index) => {
      const tried = `{ try: [{ pay: { call: pay, with: { amount: ${index} } } }], catch: {} }`;
      return `          - branch${index}: ${tried}`;
    });
    const tasks = `  - all:\n      fork:\n        branches:\n${branches.join('\n')}`;
    const { id } = await caller.store(toDocument('inherits-fork', tasks));
    expect(await caller.end(await caller.start(id))).toMatchObject({ status: 'completed' });
    expect(rules.reached).toHaveLength(2);
  });
});

test('an approval that an agent asks for is asked for in the routine of its child', async () => {
  const chain = await createChain({ toolPolicies: { pay: { approval: 'always_ask' } } }, payTask);
  chain.helper.reply(call('run_routine', { action: 'start', routineId: chain.routineId, wait: false }), fine);
  await rules.play(chain.parent, ask('helper'), fine);
  const runId = (
    await rules.lab.database
      .system('routine_runs')
      .where({ routine_id: chain.routineId })
      .pluck<string[]>('id')
  )[0] as string;
  await chain.helper.until(runId, ({ steps }) => steps.some(({ state }) => state === 'waiting'));
  const [action] = (await rules.lab.readTurn(runId)).pendingActions;
  expect(rules.reached).toEqual([]);
  await rules.lab.decide(action?.id ?? '', { decision: 'approve' });
  expect(await chain.helper.end(runId)).toMatchObject({ status: 'completed' });
  expect(rules.reached).toEqual([{ amount: 11 }]);
});

test('the canary tokens of an agent hold in the routine of its child', async () => {
  const canary = 'Zebra-7719-Quokka';
  const tasks = `  - leak: { call: pay, with: { note: 'It is ${canary}.' } }`;
  const { runs } = await play(await createChain({ canaryTokens: [canary] }, tasks, { inheritRules: false }));
  expect(runs).toMatchObject([{ status: 'faulted', error: { title: 'TOOL_BLOCKED' } }]);
  expect(rules.reached).toEqual([]);
});

test('the calls of the routine of a child count for the budget of the conversation above', async () => {
  await setPrices(rules.lab, rules.lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
  const chain = await createChain({}, '  - write: { call: model, with: { prompt: Write. } }');
  // Two calls of the agents come before that of the routine.
  const budget = { scope: 'conversation', period: 'total', credits: 2_500n } as const;
  await createBudget(rules.lab, rules.lab, { ...budget, subject: chain.parent.conversationId });
  chain.helper.reply(chain.start);
  const { turn } = await rules.play(chain.parent, ask('helper'));
  const runs = await endRuns(chain);
  expect(runs).toMatchObject([{ status: 'faulted', error: { title: 'BUDGET_EXCEEDED' } }]);
  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
});

test('an agent that a late step of a routine asks has the iterations of its own', async () => {
  const helper = await rules.lab.scene(ruled({}, [pay]));
  helper.reply(call('pay', { amount: 1 }), call('pay', { amount: 2 }), fine);
  const caller = await createRoutineScene(rules.lab, { limits: { maxIterations: 5 } });
  const steps = Array.from({ length: 9 }, (_, index) => `  - step${index}: { set: { at: ${index} } }`);
  const asking = `  - ask: { call: agent, with: { agentId: ${helper.agent.id}, message: Pay. } }`;
  const { id } = await caller.store(toDocument('late-agent', [...steps, asking].join('\n')));
  expect(await caller.end(await caller.start(id))).toMatchObject({ status: 'completed' });
  expect(rules.reached).toEqual([{ amount: 1 }, { amount: 2 }]);
});
