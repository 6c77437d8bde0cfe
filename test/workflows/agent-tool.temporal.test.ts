import { defineSearchAttributeKey } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { TurnRow } from '../../src/db/turns/turn-rows.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { searchAttributeNames } from '../../workflows/contract/search-attributes.ts';
import { containing } from '../labs/matchers.ts';
import { agentTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { recordHistory } from '../labs/histories.ts';
import { calculate } from '../labs/lab-tools.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

const agentKey = defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD');

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab();
});

afterAll(() => lab.close());

function ask(name: string, input: JsonObject = { message: 'Please.' }) {
  return { toolCalls: [{ name, arguments: input }] };
}

async function readRow(turnId: string): Promise<TurnRow> {
  const row = await lab.database.system<TurnRow>('turns').where({ id: turnId }).first();
  if (!row) throw new Error(`there is no turn ${turnId}`);
  return row;
}

async function waitForChildTurn(turnId: string): Promise<string> {
  const calls = await eventually(
    () => lab.readLedger(turnId),
    (ledger) => ledger.some((call) => call.child_turn_id !== null),
  );
  return calls.find((call) => call.child_turn_id !== null)?.child_turn_id ?? '';
}

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

describe.concurrent.each(executionModes)('an agent tool in %s execution', (execution) => {
  test('runs a turn of the other agent and returns its answer', async () => {
    const helper = await lab.scene({ execution, tools: [calculate] });
    const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
    scene.reply(ask('helper', { message: 'What is 20 + 3?' }), { text: 'My helper says 23.' });
    helper.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
      { text: 'It is 23.' },
    );
    const turnId = await scene.say('Ask your helper.');
    const turn = await lab.waitForOutcome(turnId);
    const childTurnId = turn.toolCalls[0]?.childTurnId ?? '';
    const child = await lab.readTurn(childTurnId);

    expect(turn).toMatchObject({
      outcome: 'completed',
      answer: 'My helper says 23.',
      parentTurnId: null,
      toolCalls: [{ type: 'agent', status: 'succeeded', result: 'It is 23.' }],
    });
    expect(child).toMatchObject({
      parentTurnId: turnId,
      agentId: helper.agent.id,
      outcome: 'completed',
      toolCalls: [{ name: 'calculate', result: '23' }],
    });
    expect(helper.requests()[0]?.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: 'What is 20 + 3?',
    });
    const description = await lab.client.workflow.getHandle(`turn-${childTurnId}`).describe();
    expect(description.parentExecution?.workflowId).toBe(`turn-${turnId}`);
    expect(description.memo).toEqual({ parentTurnId: turnId });
    expect(description.typedSearchAttributes.get(agentKey)).toBe(helper.agent.id);
    await recordHistory(lab, `agent-tool-${execution}`, turnId);
  });

  test('gives the other agent its arguments as JSON when there is no single message', async () => {
    const helper = await lab.scene({ execution });
    const schema = { type: 'object', properties: { topic: { type: 'string' }, depth: { type: 'number' } } };
    const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id, { schema })] });
    scene.reply(ask('helper', { topic: 'tides', depth: 2 }), { text: 'Thanks.' });
    helper.reply({ text: 'The moon.' });
    await lab.waitForOutcome(await scene.say('Go.'));

    expect(JSON.parse(helper.requests()[0]?.body.messages.at(-1)?.content ?? '')).toEqual({
      topic: 'tides',
      depth: 2,
    });
  });

  test('fails with the outcome of the other turn when that failed', async () => {
    const helper = await lab.scene({ execution });
    const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
    scene.reply(ask('helper'), { text: 'It could not.' });
    helper.reply({ status: 400, body: { error: { message: 'No such thing.' } } });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn).toMatchObject({
      outcome: 'completed',
      toolCalls: [
        {
          status: 'failed',
          error: {
            code: 'TOOL_FAILED',
            details: { turnId: turn.toolCalls[0]?.childTurnId, outcome: 'failed' },
          },
        },
      ],
    });
    const error = turn.toolCalls[0]?.error;
    expect(error?.message).toBe('The turn failed: the model refused the request.');
    expect(error?.details).toMatchObject({ internal: containing('No such thing.') });
  });

  test('is cancelled with the turn that waits for it, and its own child turns are cancelled too', async () => {
    const last = await lab.scene({ execution });
    const middle = await lab.scene({ execution, tools: [agentTool('last', last.agent.id)] });
    const scene = await lab.scene({ execution, tools: [agentTool('middle', middle.agent.id)] });
    scene.reply(ask('middle'));
    middle.reply(ask('last'));
    last.reply({ text: 'Well, ', hang: true });
    const turnId = await scene.say('Go.');
    const request = await last.waitForRequest(1);
    await lab.cancelTurn(turnId);
    await request.closed;
    const turn = await lab.waitForOutcome(turnId);
    const middleId = await waitForChildTurn(turnId);
    const lastId = await waitForChildTurn(middleId);

    expect(request.aborted).toBe(true);
    expect(turn).toMatchObject({ outcome: 'cancelled', toolCalls: [{ status: 'failed' }] });
    expect(await lab.waitForOutcome(middleId)).toMatchObject({ outcome: 'cancelled' });
    expect(await lab.waitForOutcome(lastId)).toMatchObject({ outcome: 'cancelled' });
  });

  test('that is not on the allowlist starts no turn', async () => {
    const helper = await lab.scene({ execution });
    const scene = await lab.scene({
      execution,
      tools: [agentTool('helper', helper.agent.id)],
      rules: { toolAllowlist: ['other'], toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
    });
    scene.reply(ask('helper'), { text: 'I may not.' });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn.toolCalls).toMatchObject([{ status: 'blocked', childTurnId: null }]);
    expect(helper.requests()).toHaveLength(0);
  });
});

// Alone, since the turn ends at its deadline when its steps are late.
test.each(executionModes)('in %s execution the other agent stops early enough', async (execution) => {
  const helper = await lab.scene({ execution });
  const scene = await lab.scene({
    execution,
    tools: [agentTool('helper', helper.agent.id)],
    limits: { turnTimeoutMs: 12_000 },
  });
  scene.reply(ask('helper'), { text: 'It took too long.' });
  helper.reply({ text: 'Let me think ', hang: true });
  const turnId = await scene.say('Go.');
  const turn = await lab.waitForOutcome(turnId);
  const child = await readRow(turn.toolCalls[0]?.childTurnId ?? '');

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'It took too long.' });
  expect(turn.toolCalls).toMatchObject([
    { status: 'failed', error: { code: 'TOOL_TIMED_OUT', details: { outcome: 'timed_out' } } },
  ]);
  expect(child.status).toBe('timed_out');
  expect(child.timeout_ms).toBeLessThanOrEqual(9_000);
});

test.concurrent('a cancel through Temporal alone also cancels the turn of the other agent', async () => {
  const helper = await lab.scene();
  const scene = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
  scene.reply(ask('helper'));
  helper.reply({ text: 'Well, ', hang: true });
  const turnId = await scene.say('Go.');
  const request = await helper.waitForRequest(1);
  await lab.engine.cancelTurn(turnId);
  await request.closed;

  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled' });
  expect(await lab.waitForOutcome(await waitForChildTurn(turnId))).toMatchObject({ outcome: 'cancelled' });
});

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
    const child = await readRow(turn.toolCalls[0]?.childTurnId ?? '');

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
    const child = await readRow(turn.toolCalls[0]?.childTurnId ?? '');

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
