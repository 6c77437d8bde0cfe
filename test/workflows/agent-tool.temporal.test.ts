import { defineSearchAttributeKey } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { searchAttributeNames } from '../../src/contract/search-attributes.ts';
import { agentTool, ask, readTurnRow } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { recordHistory } from '../labs/histories.ts';
import { calculate } from '../labs/lab-tools.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { testAgentToolOutcomes } from './agent-tool-outcomes.ts';

const agentKey = defineSearchAttributeKey(searchAttributeNames.agent, 'KEYWORD');

const lab = openForTests(shareTurnLab);

async function waitForChildTurn(turnId: string): Promise<string> {
  const calls = await eventually(
    () => lab.readLedger(turnId),
    (ledger) => ledger.some((call) => call.child_turn_id !== null),
  );
  return calls.find((call) => call.child_turn_id !== null)?.child_turn_id ?? '';
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
});

testAgentToolOutcomes(lab, 'direct');

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
  const child = await readTurnRow(lab, turn.toolCalls[0]?.childTurnId ?? '');

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
