import { describe, expect, test } from 'vitest';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { toOperatorCatalogue, workflowTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startOperatorWorker } from '../labs/operator-worker.ts';
import { uniqueTaskQueue } from '../labs/temporal.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

/** Opens a lab with a worker of the operator for the tests of a file. */
export function openWorkflowToolLab(): TurnLab {
  return openForTests(async () => {
    const taskQueue = uniqueTaskQueue('operator');
    const lab = await startTurnLab({ workflows: toOperatorCatalogue(taskQueue) });
    const operator = await startOperatorWorker(taskQueue);
    const close = async () => {
      await lab.close();
      await operator.stop();
    };
    return { ...lab, close };
  });
}

/** An answer of a model that calls a tool. */
export function callOf(name: string, input: JsonObject = {}) {
  return { toolCalls: [{ name, arguments: input }] };
}

/** Waits until the first tool call of a turn has started a workflow, and returns its id. */
export async function waitForChild(lab: TurnLab, turnId: string): Promise<string> {
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

/** Tests the outcomes of workflow tools for which both modes run the same code. */
export function testWorkflowToolOutcomes(lab: TurnLab, execution: ExecutionMode): void {
  describe.concurrent(`a workflow tool in ${execution} execution`, () => {
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

    test('that was terminated fails, and the model is told the reason', async () => {
      const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
      scene.reply(callOf('wait'), { text: 'Somebody stopped it.' });
      const turnId = await scene.say('Wait.');
      const workflowId = await waitForChild(lab, turnId);
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
}
