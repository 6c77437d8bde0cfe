import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { Rules } from '../../src/domain/rules.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { agentTool } from '../labs/child-tools.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { call, fine, pay, ruled, startRulesLab } from './rules-lab.ts';

let rules: Awaited<ReturnType<typeof startRulesLab>>;

beforeAll(async () => {
  rules = await startRulesLab();
});
beforeEach(() => rules.reached.splice(0));
afterAll(() => rules.close());

/** The same tool of the same server under another name. */
const send: ToolInput = { ...pay, name: 'send', config: { server: 'lab', tool: 'pay' } } as ToolInput;

interface PairOptions {
  above: Partial<Rules>;
  /** The rules and tools of the agent below. */
  below?: Partial<Rules>;
  tools?: ToolInput[];
  inheritRules?: boolean;
}

/** An agent with rules, and one that it may ask. */
async function createPair({ above, below = {}, tools = [pay], inheritRules = false }: PairOptions) {
  const helper = await rules.lab.scene(ruled(below, tools));
  const asking = agentTool('helper', helper.agent.id, { config: { inheritRules } });
  return { helper, scene: await rules.lab.scene(ruled(above, [pay, asking])) };
}

const ask = (count = 1) => ({
  toolCalls: Array.from({ length: count }, () => ({ name: 'helper', arguments: { message: 'Pay.' } })),
});

async function readCalls(scene: LabScene) {
  const turns = await rules.lab.database
    .system('turns')
    .where({ agent_id: scene.agent.id })
    .pluck<string[]>('id');
  const details = await Promise.all(turns.map((id) => rules.lab.readTurn(id)));
  return details.flatMap(({ toolCalls }) => toolCalls.map(({ status }) => status)).sort();
}

describe('a limit of calls a turn', () => {
  const once = { toolPolicies: { pay: { maxCallsPerTurn: 1 } } };

  test.each([
    ['the same name', pay],
    ['another name', send],
  ])('counts the calls of the turns below, under %s', async (_which, tool) => {
    const { scene, helper } = await createPair({ above: once, tools: [tool] });
    for (let index = 0; index < 3; index += 1) helper.reply(call(tool.name, { index }), fine);
    const { turn } = await rules.play(scene, ask(), ask(), ask(), call('pay', { index: 9 }), fine);
    expect(rules.reached).toEqual([{ index: 0 }]);
    expect(await readCalls(helper)).toEqual(['blocked', 'blocked', 'succeeded']);
    expect(turn.toolCalls.at(-1)).toMatchObject({
      status: 'blocked',
      error: { code: 'TOOL_BLOCKED', details: { rule: 'call_limit' } },
    });
  });

  test('counts a call of the turn itself for the turns below', async () => {
    const { scene, helper } = await createPair({ above: once });
    helper.reply(call('pay', { index: 1 }), fine);
    await rules.play(scene, call('pay', { index: 0 }), ask(), fine);
    expect(rules.reached).toEqual([{ index: 0 }]);
    expect(await readCalls(helper)).toEqual(['blocked']);
  });

  test('holds for turns that run at the same time', async () => {
    const { scene, helper } = await createPair({ above: once });
    helper.reply(...Array.from({ length: 5 }, () => call('pay')), ...Array.from({ length: 5 }, () => fine));
    await rules.play(scene, ask(5), fine);
    expect(rules.reached).toHaveLength(1);
    expect(await readCalls(helper)).toEqual(['blocked', 'blocked', 'blocked', 'blocked', 'succeeded']);
  });

  test('holds two turns below, and a limit a day counts for the agent above', async () => {
    const last = await rules.lab.scene(ruled({}, [pay]));
    const middle = await rules.lab.scene(ruled({}, [agentTool('last', last.agent.id)]));
    const scene = await rules.lab.scene(
      ruled({ toolPolicies: { pay: { maxCallsPerDay: 1 } } }, [pay, agentTool('helper', middle.agent.id)]),
    );
    for (let index = 0; index < 2; index += 1) {
      middle.reply({ toolCalls: [{ name: 'last', arguments: { message: 'Pay.' } }] }, fine);
      last.reply(call('pay', { index }), fine);
      await rules.play(scene, ask(), fine);
    }
    expect(rules.reached).toEqual([{ index: 0 }]);
  });
});

describe('the canary tokens of the agent above', () => {
  const canary = 'Zebra-7719-Quokka';

  test.each(executionModes)('block calls and answers of a turn below in %s execution', async (execution) => {
    const helper = await rules.lab.scene({ ...ruled({}, [pay]), execution });
    const scene = await rules.lab.scene({
      ...ruled({ canaryTokens: [canary] }, [agentTool('helper', helper.agent.id)]),
      execution,
    });
    helper.reply(call('pay', { note: canary }), { text: `It says ${canary}.` });
    const { turn } = await rules.play(scene, ask(), fine);
    const [asked] = turn.toolCalls;
    const child = await rules.lab.readTurn(asked?.childTurnId ?? '');
    expect(child).toMatchObject({
      outcome: 'failed',
      error: { code: 'ANSWER_BLOCKED' },
      toolCalls: [{ status: 'blocked', error: { details: { rule: 'canary' } } }],
    });
    expect(rules.reached).toEqual([]);
    expect(await rules.collectTraces(helper, child.id)).not.toContain(canary);
    // They are planted in the instructions of their own agent only.
    expect(JSON.stringify(helper.requests())).not.toContain(canary);
    expect(JSON.stringify(scene.requests()[0]?.body.messages)).toContain(canary);
  });
});

describe('the policies and the allowlist of the agent above', () => {
  const above: Partial<Rules> = {
    toolPolicies: { pay: { maximums: { amount: 10 } } },
    toolAllowlist: ['helper', 'pay', 'next'],
  };

  test('hold below a tool with inheritRules, under any name of a tool', async () => {
    const { scene, helper } = await createPair({ above, tools: [send], inheritRules: true });
    helper.reply(call('send', { amount: 11 }), call('send', { amount: 9 }), fine);
    await rules.play(scene, ask(), fine);
    expect(rules.reached).toEqual([{ amount: 9 }]);
  });

  test('hide and block a tool that the list does not have', async () => {
    const { scene, helper } = await createPair({
      above: { toolAllowlist: ['helper', 'look'] },
      tools: [pay, { ...pay, name: 'look' }],
      inheritRules: true,
    });
    helper.reply(call('pay'), fine);
    await rules.play(scene, ask(), fine);
    expect(helper.requests()[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['look']);
    expect(await readCalls(helper)).toEqual(['blocked']);
  });

  test('hold in all turns below, once they were handed down', async () => {
    const last = await rules.lab.scene(ruled({}, [pay]));
    const middle = await rules.lab.scene(ruled({}, [agentTool('next', last.agent.id)]));
    const asking = agentTool('helper', middle.agent.id, { config: { inheritRules: true } });
    const scene = await rules.lab.scene(ruled(above, [pay, asking]));
    middle.reply({ toolCalls: [{ name: 'next', arguments: { message: 'Pay.' } }] }, fine);
    last.reply(call('pay', { amount: 11 }), fine);
    await rules.play(scene, ask(), fine);
    expect(await readCalls(last)).toEqual(['blocked']);
  });

  test('do not hold below a tool without inheritRules', async () => {
    const { scene, helper } = await createPair({ above, tools: [send] });
    helper.reply(call('send', { amount: 11 }), fine);
    await rules.play(scene, ask(), fine);
    expect(rules.reached).toEqual([{ amount: 11 }]);
  });
});
