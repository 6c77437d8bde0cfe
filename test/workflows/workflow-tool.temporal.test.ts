import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { toOperatorCatalogue, workflowTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { fetchTurnHistory, readHistoryTexts, recordHistory } from '../labs/histories.ts';
import { startOperatorWorker } from '../labs/operator-worker.ts';
import { uniqueTaskQueue } from '../labs/temporal.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let operator: { stop: () => Promise<void> };

beforeAll(async () => {
  const taskQueue = uniqueTaskQueue('operator');
  lab = await startTurnLab({ workflows: toOperatorCatalogue(taskQueue) });
  operator = await startOperatorWorker(taskQueue);
});

afterAll(async () => {
  await lab.close();
  await operator.stop();
});

function callOf(name: string, input: JsonObject = {}) {
  return { toolCalls: [{ name, arguments: input }] };
}

async function waitForChild(turnId: string): Promise<string> {
  const calls = await eventually(
    () => lab.readLedger(turnId),
    ([call]) => typeof call?.child_workflow_id === 'string',
  );
  const workflowId = calls[0]?.child_workflow_id ?? '';
  await eventually(
    () =>
      lab.client.workflow
        .getHandle(workflowId)
        .describe()
        .catch(() => null),
    (description) => description !== null,
  );
  return workflowId;
}

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

  test('validates the arguments against the input schema before it starts the workflow', async () => {
    const scene = await lab.scene({ execution, tools: [workflowTool('refund')] });
    scene.reply(callOf('refund', { order: 'A-1', amount: 5000 }), { text: 'Too much.' });
    const turnId = await scene.say('Refund 5000.');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([
      {
        status: 'failed',
        error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'amount' }] },
      },
    ]);
    expect(await lab.readLedger(turnId)).toMatchObject([{ child_workflow_id: null }]);
  });

  test('gives the model the message and the type of the failure', async () => {
    const scene = await lab.scene({ execution, tools: [workflowTool('refuse')] });
    scene.reply(callOf('refuse', { reason: 'too late' }), { text: 'It was refused.' });
    const turn = await lab.waitForOutcome(await scene.say('Refund.'));

    expect(turn.toolCalls).toMatchObject([
      {
        status: 'failed',
        error: {
          code: 'TOOL_FAILED',
          message: 'RefundRefused: No refund: too late',
          details: { status: 'failed', type: 'RefundRefused', details: [{ limit: 100 }] },
        },
      },
    ]);
    expect(scene.requests()[1]?.body.messages.at(-1)?.content).toContain('No refund: too late');
  });

  test('that detaches returns the ids of the run at once, and the workflow outlives the turn', async () => {
    const scene = await lab.scene({
      execution,
      tools: [workflowTool('wait', { config: { detach: true } }), workflowTool('wait-detached')],
    });
    scene.reply(
      {
        toolCalls: [
          { name: 'wait', arguments: {} },
          { name: 'wait-detached', arguments: {} },
        ],
      },
      { text: 'Started.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Start it.'));
    const answers = turn.toolCalls.map(
      ({ result }) => JSON.parse(result ?? '{}') as { status: string; workflowId: string; runId: string },
    );

    expect(turn.outcome).toBe('completed');
    expect(answers).toMatchObject([{ status: 'running' }, { status: 'running' }]);
    for (const { workflowId, runId } of answers) {
      const handle = lab.client.workflow.getHandle(workflowId, runId);
      await handle.signal('release', 'go');
      expect(await handle.result()).toBe('go');
    }
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
    const workflowId = await waitForChild(turnId);
    await lab.cancelTurn(turnId);
    const turn = await lab.waitForOutcome(turnId);
    await eventually(
      () => statusOf(workflowId),
      (status) => status === 'CANCELLED',
    );

    expect(turn).toMatchObject({ outcome: 'cancelled', toolCalls: [{ status: 'unknown' }] });
  });

  test('that was terminated fails, and the model is told the reason', async () => {
    const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
    scene.reply(callOf('wait'), { text: 'Somebody stopped it.' });
    const turnId = await scene.say('Wait.');
    const workflowId = await waitForChild(turnId);
    await lab.client.workflow.getHandle(workflowId).terminate('by hand');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([
      {
        status: 'failed',
        error: {
          code: 'TOOL_FAILED',
          message: 'The workflow of wait was terminated: by hand',
          details: { status: 'terminated' },
        },
      },
    ]);
  });

  test('that is not on the allowlist starts no workflow', async () => {
    const scene = await lab.scene({
      execution,
      tools: [workflowTool('refund')],
      rules: { toolAllowlist: ['other'], toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
    });
    scene.reply(callOf('refund', { order: 'A-1', amount: 20 }), { text: 'I may not.' });
    const turnId = await scene.say('Refund.');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([{ status: 'blocked', error: { code: 'TOOL_BLOCKED' } }]);
    expect(await lab.readLedger(turnId)).toMatchObject([{ child_workflow_id: null }]);
  });
});

// Alone, since the turn ends at its deadline when its steps are late.
test.each(executionModes)(
  'without a time limit the model has time to answer in %s execution',
  async (execution) => {
    const scene = await lab.scene({
      execution,
      tools: [workflowTool('wait')],
      limits: { turnTimeoutMs: 6_000 },
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
