import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Rules } from '../../../src/domain/rules.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { agentTool, ask } from '../../labs/child-tools.ts';
import { call, fine, pay, ruled, startRulesLab } from '../../workflows/rules-lab.ts';

let rules: Awaited<ReturnType<typeof startRulesLab>>;

beforeAll(async () => {
  rules = await startRulesLab();
});

beforeEach(() => {
  rules.reached.splice(0);
});

afterAll(() => rules.close());

const spawnSwarm: ToolInput = {
  ...{ type: 'function' as const, name: 'spawn_swarm', description: 'Starts swarms.' },
  ...{ schema: { type: 'object' }, config: {} },
};
const listed = { toolAllowlist: ['helper', 'spawn_swarm'] };

/** A member that pays as often as it is asked to, and the call that starts a swarm of it. */
async function createMember(times = 1) {
  const member = await rules.lab.scene(ruled({}, [pay]));
  member.reply(...Array.from({ length: times }, () => call('pay', { amount: 11 })), fine);
  const subtasks = [{ id: 'a', description: 'Pay.', assignee: member.agent.id }];
  return { member, spawn: call('spawn_swarm', { kind: 'rich', goal: 'Pay.', subtasks }) };
}

/** Plays a turn of an agent with rules, which asks another one that starts a swarm; returns what its member was told. */
async function playBelow(above: Partial<Rules>, { times = 1, inheritRules = true } = {}) {
  const { member, spawn } = await createMember(times);
  const helper = await rules.lab.scene(ruled({}, [pay, spawnSwarm]));
  helper.reply(spawn, fine);
  const asking = agentTool('helper', helper.agent.id, { config: { inheritRules } });
  const parent = await rules.lab.scene(ruled(above, [pay, asking]));
  await rules.play(parent, ask('helper'), fine);
  return member.requests().map(({ body }) => body.messages.at(-1)?.content ?? '');
}

describe('the members of a swarm', () => {
  test('may not call a tool that was blocked for the turn that has started the swarm', async () => {
    const told = await playBelow(listed);
    expect(rules.reached).toEqual([]);
    expect(told).toMatchObject([expect.anything(), expect.stringContaining('allowlist')]);
  });

  test('share the limits of calls of the turns above', async () => {
    const above = { toolPolicies: { pay: { maxCallsPerTurn: 1 } } };
    await playBelow(above, { times: 3, inheritRules: false });
    expect(rules.reached).toEqual([{ amount: 11 }]);
  });

  test('have the rules of the agent that starts it when its tool hands them down', async () => {
    const lent = await createMember();
    await rules.play(await rules.lab.scene(ruled(listed, [spawnSwarm])), lent.spawn, fine);
    expect(rules.reached).toEqual([{ amount: 11 }]);

    const handing: ToolInput = { ...spawnSwarm, config: { inheritRules: true } };
    const strict = await createMember();
    await rules.play(await rules.lab.scene(ruled(listed, [handing])), strict.spawn, fine);
    expect(rules.reached).toEqual([{ amount: 11 }]);
    expect(strict.member.requests()).not.toEqual([]);
  });
});
