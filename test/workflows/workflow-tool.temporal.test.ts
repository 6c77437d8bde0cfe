import { describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { workflowTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { fetchTurnHistory, readHistoryTexts, recordHistory } from '../labs/histories.ts';
import { callOf, openWorkflowToolLab, testWorkflowToolOutcomes, waitForChild } from './workflow-tool-lab.ts';

const lab = openWorkflowToolLab();

async function statusOf(workflowId: string): Promise<string> {
  return (await lab.client.workflow.getHandle(workflowId).describe()).status.name;
}

describe.concurrent.each(executionModes)('a workflow tool in %s execution', (execution) => {
  test('starts a workflow on another task queue with the arguments and returns its result', async () => {
    const scene = await lab.scene({ execution, tools: [workflowTool('refund')] });
    scene.reply(callOf('refund', { order: 'A-1', amount: 20 }), { text: 'Done.' });
    const turnId = await scene.say('Refund A-1.');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({
      outcome: 'completed',
      answer: 'Done.',
      toolCalls: [
        { type: 'workflow', status: 'succeeded', result: '{"refunded":20,"order":"A-1"}', childTurnId: null },
      ],
    });
    const [call] = await lab.readLedger(turnId);
    expect(call?.child_workflow_id).toBe(`tool-${call?.key}`);
    const description = await lab.client.workflow.getHandle(`tool-${call?.key}`).describe();
    expect(description.memo).toMatchObject({ turnId, toolCallId: call?.id });
    expect(description.parentExecution?.workflowId).toBe(`turn-${turnId}`);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.map(({ type }) => type)).toEqual([
      'turn.started',
      'message.created',
      'tool.started',
      'tool.executed',
      'message.created',
      'turn.settled',
    ]);
    await recordHistory(lab, `workflow-tool-${execution}`, turnId);
  });

  test('whose time limit is over reports that the workflow still runs, and does not stop it', async () => {
    const scene = await lab.scene({
      execution,
      tools: [workflowTool('wait', { settings: { timeoutMs: 200 } }), workflowTool('wait-briefly')],
    });
    scene.reply(
      {
        toolCalls: [
          { name: 'wait', arguments: {} },
          { name: 'wait-briefly', arguments: {} },
        ],
      },
      { text: 'Still at it.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Wait.'));

    expect(turn.outcome).toBe('completed');
    for (const call of turn.toolCalls) {
      expect(call).toMatchObject({ status: 'succeeded', error: null });
      const { status, workflowId } = JSON.parse(call.result ?? '{}') as {
        status: string;
        workflowId: string;
      };
      expect(status).toBe('running');
      expect(await statusOf(workflowId)).toBe('RUNNING');
      await lab.client.workflow.getHandle(workflowId).signal('release', 'go');
    }
  });

  test('is cancelled with the turn that waits for it', async () => {
    const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
    scene.reply(callOf('wait'));
    const turnId = await scene.say('Wait.');
    const workflowId = await waitForChild(lab, turnId);
    await lab.cancelTurn(turnId);
    const turn = await lab.waitForOutcome(turnId);
    await eventually(
      () => statusOf(workflowId),
      (status) => status === 'CANCELLED',
    );

    expect(turn).toMatchObject({ outcome: 'cancelled', toolCalls: [{ status: 'unknown' }] });
  });
});

testWorkflowToolOutcomes(lab, 'direct');

// Alone, since the turn ends at its deadline when its steps are late.
test.each(executionModes)(
  'without a time limit the model has time to answer in %s execution',
  async (execution) => {
    const scene = await lab.scene({
      execution,
      tools: [workflowTool('wait')],
      limits: { turnTimeoutMs: 20_000 },
    });
    scene.reply(callOf('wait'), { text: 'It takes longer.' });
    const turn = await lab.waitForOutcome(await scene.say('Wait.'));
    const { status, workflowId } = JSON.parse(turn.toolCalls[0]?.result ?? '{}') as Record<string, string>;

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It takes longer.' });
    expect(status).toBe('running');
    expect(await statusOf(workflowId ?? '')).toBe('RUNNING');
    await lab.client.workflow.getHandle(workflowId ?? '').terminate();
  },
);

test.concurrent('a workflow that returns bytes or nothing gives a valid result', async () => {
  const scene = await lab.scene({ tools: [workflowTool('bytes'), workflowTool('nothing')] });
  scene.reply(
    {
      toolCalls: [
        { name: 'bytes', arguments: {} },
        { name: 'nothing', arguments: {} },
      ],
    },
    { text: 'Fine.' },
  );
  const turn = await lab.waitForOutcome(await scene.say('Go.'));

  expect(turn.toolCalls.map(({ result }) => JSON.parse(result ?? '') as unknown)).toEqual([
    { encoding: 'base64', data: 'AP+ABw==' },
    null,
  ]);
});

test.concurrent('a result of a megabyte is cut, and is stored once in the history of the turn', async () => {
  const scene = await lab.scene({ tools: [workflowTool('much')] });
  scene.reply(callOf('much', { characters: 1_000_000 }), { text: 'Much.' });
  const turnId = await scene.say('Go.');
  const turn = await lab.waitForOutcome(turnId);

  expect(turn.outcome).toBe('completed');
  expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', resultTruncated: true }]);
  const history = await fetchTurnHistory(lab, turnId);
  const long = readHistoryTexts(history).filter((text) => text.length > 900_000);
  expect(long).toHaveLength(1);
});

test.concurrent('a workflow type that the operator does not offer fails, and the model is told', async () => {
  const scene = await lab.scene({ tools: [workflowTool('gone')] });
  scene.reply(callOf('gone'), { text: 'There is none.' });
  const turn = await lab.waitForOutcome(await scene.say('Go.'));

  expect(turn.toolCalls).toMatchObject([
    {
      status: 'failed',
      error: { code: 'TOOL_MISCONFIGURED', message: 'There is no workflow gone that a tool can start.' },
    },
  ]);
});
