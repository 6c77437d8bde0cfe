import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentTool, ask, readTurnRow } from '../labs/child-tools.ts';
import { calculate } from '../labs/lab-tools.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

/** Agents that call one another in a row, the first one by the user. */
async function createChain(length: number, limits = {}): Promise<LabScene[]> {
  const chain: LabScene[] = [];
  for (let index = length - 1; index >= 0; index--) {
    const next = chain[0];
    const tools = next ? [agentTool('next', next.agent.id)] : [];
    chain.unshift(await lab.scene({ tools, ...(index === 0 ? { limits } : {}) }));
  }
  return chain;
}

describe.concurrent('agents that call agents', () => {
  test('may be nested three deep, and a deeper call fails', async () => {
    const chain = await createChain(5);
    chain.slice(0, 4).forEach((scene, index) => scene.reply(ask('next'), { text: `${index} is done.` }));
    const [first, , , fourth, fifth] = chain;
    const turn = await lab.waitForOutcome((await first?.say('Go.')) ?? '');

    expect(turn).toMatchObject({ outcome: 'completed', answer: '0 is done.' });
    expect(fifth?.requests()).toHaveLength(0);
    expect(fourth?.requests()[1]?.body.messages.at(-1)?.content).toContain('3 deep only');
  });

  test('may be nested as deep as the first agent allows', async () => {
    const [first, second] = await createChain(2, { maxAgentDepth: 0 });
    first?.reply(ask('next'), { text: 'Alone, then.' });
    const turn = await lab.waitForOutcome((await first?.say('Go.')) ?? '');

    expect(turn.toolCalls).toMatchObject([
      { status: 'failed', error: { code: 'AGENT_DEPTH_EXCEEDED' }, childTurnId: null },
    ]);
    expect(second?.requests()).toHaveLength(0);
  });

  test('cannot call an agent that waits for them', async () => {
    const scene = await lab.scene();
    const helper = await lab.scene({ tools: [agentTool('back', scene.agent.id)] });
    await replaceTools(scene, [agentTool('helper', helper.agent.id), agentTool('self', scene.agent.id)]);
    scene.reply(
      {
        toolCalls: [
          { name: 'helper', arguments: { message: 'Go.' } },
          { name: 'self', arguments: { message: 'Go.' } },
        ],
      },
      { text: 'Done.' },
    );
    helper.reply(ask('back'), { text: 'I did it alone.' });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));
    const child = await lab.readTurn(turn.toolCalls[0]?.childTurnId ?? '');

    expect(turn.toolCalls).toMatchObject([
      { name: 'helper', status: 'succeeded', result: 'I did it alone.' },
      { name: 'self', status: 'failed', error: { code: 'AGENT_CYCLE' } },
    ]);
    expect(child.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'AGENT_CYCLE' } }]);
  });

  test('cannot call an agent that is deleted or does not exist', async () => {
    const helper = await lab.scene();
    await lab.database.system('agents').where({ id: helper.agent.id }).update({ deleted_at: new Date() });
    const scene = await lab.scene({
      tools: [agentTool('deleted', helper.agent.id), agentTool('nobody', 'no-id')],
    });
    scene.reply(
      {
        toolCalls: [
          { name: 'deleted', arguments: { message: 'Go.' } },
          { name: 'nobody', arguments: { message: 'Go.' } },
        ],
      },
      { text: 'Alone.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn.toolCalls.map(({ error }) => error?.code)).toEqual([
      'TOOL_MISCONFIGURED',
      'TOOL_MISCONFIGURED',
    ]);
  });

  test('share the remaining iterations', async () => {
    const helper = await lab.scene({ tools: [calculate] });
    const scene = await lab.scene({
      tools: [agentTool('helper', helper.agent.id)],
      limits: { maxIterations: 2 },
    });
    scene.reply(ask('helper'), { text: 'Done.' });
    helper.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] },
      { text: 'Two, as far as I came.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Go.'));
    const child = await readTurnRow(lab, turn.toolCalls[0]?.childTurnId ?? '');

    expect(child).toMatchObject({ max_iterations: 1, status: 'iteration_limit', lineage: [scene.agent.id] });
    expect(turn.toolCalls).toMatchObject([
      {
        status: 'failed',
        error: { message: 'Two, as far as I came.', details: { outcome: 'iteration_limit' } },
      },
    ]);
  });

  test('share the remaining tokens, and tokens that one uses count for its caller', async () => {
    const helper = await lab.scene();
    const scene = await lab.scene({
      tools: [agentTool('helper', helper.agent.id), calculate],
      limits: { maxTokens: 1_000 },
    });
    scene.reply(
      { ...ask('helper'), usage: { inputTokens: 300, outputTokens: 100 } },
      { text: 'That is all I can pay for.' },
    );
    helper.reply({ text: 'Expensive.', usage: { inputTokens: 500, outputTokens: 100 } });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));
    const child = await readTurnRow(lab, turn.toolCalls[0]?.childTurnId ?? '');

    expect(child).toMatchObject({ max_tokens: 600, status: 'completed' });
    expect(turn).toMatchObject({
      outcome: 'iteration_limit',
      answer: 'That is all I can pay for.',
      iterations: 2,
    });
    expect(scene.requests()[1]?.body.messages[0]?.content).toContain('Answer now, without tools');
  });
});

test.concurrent(
  'a turn that has used all its tokens asks the model for an answer without tools',
  async () => {
    const scene = await lab.scene({ tools: [calculate], limits: { maxTokens: 1_000 } });
    scene.reply(
      {
        toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }],
        usage: { inputTokens: 900, outputTokens: 100 },
      },
      { text: 'Two.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn).toMatchObject({ outcome: 'iteration_limit', answer: 'Two.', iterations: 2 });
  },
);

async function replaceTools(scene: LabScene, tools: ReturnType<typeof agentTool>[]): Promise<void> {
  const withIds = tools.map((tool, index) => ({ ...tool, id: `tool-${index}` }));
  await lab.database
    .system('agent_versions')
    .where({ id: scene.agent.versionId })
    .update({ available_tools: JSON.stringify(withIds) });
}
