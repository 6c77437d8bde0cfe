import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { agentTool, toOperatorCatalogue, workflowTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { createMeeting } from '../labs/meeting.ts';
import { startOperatorWorker } from '../labs/operator-worker.ts';
import { uniqueTaskQueue } from '../labs/temporal.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { WorkerProcess } from '../labs/turn-lab-worker.ts';

let lab: TurnLab;
let operator: { stop: () => Promise<void> };

beforeAll(async () => {
  const taskQueue = uniqueTaskQueue('operator');
  lab = await startTurnLab({ worker: false, workflows: toOperatorCatalogue(taskQueue) });
  operator = await startOperatorWorker(taskQueue);
});

afterAll(async () => {
  await lab.close();
  await operator.stop();
});

async function waitForChild(turnId: string): Promise<string> {
  const calls = await eventually(
    () => lab.readLedger(turnId),
    ([call]) => typeof call?.child_workflow_id === 'string',
  );
  const workflowId = calls[0]?.child_workflow_id ?? '';
  const describe = () =>
    lab.client.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => null);
  await eventually(describe, (description) => description !== null);
  return workflowId;
}

async function deleteWorkflow(workflowId: string): Promise<void> {
  const workflowExecution = { workflowId };
  await lab.client.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
}

/** Deletes the workflow of a turn from Temporal, as the loss of its database would. */
async function forget(turnId: string): Promise<void> {
  await deleteWorkflow(`turn-${turnId}`);
  await eventually(
    () => lab.engine.findTurnWorkflow(turnId),
    (state) => state === 'missing',
  );
  await age(turnId);
}

/** Makes a turn old enough for the sweeper to check it. */
async function age(turnId: string): Promise<void> {
  const changes = { started_at: lab.database.system.raw(`now() - interval '10 seconds'`), start_seen: false };
  await lab.database.system('turns').where({ id: turnId }).update(changes);
}

function readState(workflowId: string) {
  return lab.engine.readWorkflow({ workflowId, waitMs: 0, signal: new AbortController().signal });
}

async function waitUntilRunning(turnId: string): Promise<void> {
  await eventually(
    () => lab.engine.findTurnWorkflow(turnId),
    (state) => state === 'running',
  );
}

async function readChildTurnId(turnId: string): Promise<string> {
  const [call] = await lab.readLedger(turnId);
  return call?.child_turn_id ?? '';
}

const callOfHelper = { toolCalls: [{ name: 'helper', arguments: { message: 'Go.' } }] };

async function countRuns(workflowId: string): Promise<number> {
  let runs = 0;
  for await (const run of lab.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    runs += run.runId ? 1 : 0;
  }
  return runs;
}

describe.concurrent('when the worker is killed', { timeout: 180_000 }, () => {
  let worker: WorkerProcess;
  const crash = createMeeting(async () => {
    [, worker] = await Promise.all([worker.kill(), lab.startWorkerProcess()]);
  });

  beforeAll(async () => {
    worker = await lab.startWorkerProcess();
  });

  afterAll(() => worker.kill());

  test.for(executionModes)(
    'while a workflow runs in %s execution, the workflow goes on and another worker takes its result',
    async (execution, context) => {
      const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
      scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'It is done.' });
      const turnId = await scene.say('Wait.');
      const workflowId = await waitForChild(turnId);
      await crash.arrive(context);
      await lab.client.workflow.getHandle(workflowId).signal('release', 'go');
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({
        outcome: 'completed',
        answer: 'It is done.',
        toolCalls: [{ status: 'succeeded', result: '"go"' }],
      });
      expect(scene.requests()).toHaveLength(2);
      await eventually(
        () => countRuns(workflowId),
        (runs) => runs === 1,
      );
    },
  );

  test.for(executionModes)(
    'while another agent answers in %s execution, both turns go on',
    async (execution, context) => {
      const helper = await lab.scene({ execution });
      const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
      scene.reply(callOfHelper, { text: 'It says yes.' });
      helper.reply({ text: 'I think ', hang: true }, { text: 'Yes.' });
      const turnId = await scene.say('Ask.');
      await helper.waitForRequest(1);
      await crash.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({
        outcome: 'completed',
        answer: 'It says yes.',
        toolCalls: [{ status: 'succeeded', result: 'Yes.' }],
      });
      expect(helper.requests()).toHaveLength(2);
    },
  );
});

describe('after Temporal has lost a workflow', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    await lab.startWorker();
  });

  describe.each(executionModes)('in %s execution', (execution) => {
    test('a turn that was started again waits for the workflow that its call has started', async () => {
      const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
      scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'It is done.' });
      const turnId = await scene.say('Wait.');
      const workflowId = await waitForChild(turnId);
      await forget(turnId);
      await lab.sweep();
      await waitUntilRunning(turnId);
      await lab.client.workflow.getHandle(workflowId).signal('release', 'go');
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({
        outcome: 'completed',
        toolCalls: [{ status: 'succeeded', result: '"go"' }],
      });
      expect(scene.requests()).toHaveLength(2);
    });

    test('a turn that was started again takes the workflow that it waits for with it when it is cancelled', async () => {
      const scene = await lab.scene({ execution, tools: [workflowTool('wait')] });
      scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] });
      const turnId = await scene.say('Wait.');
      const workflowId = await waitForChild(turnId);
      await forget(turnId);
      await lab.sweep();
      await waitUntilRunning(turnId);
      await lab.cancelTurn(turnId);
      const turn = await lab.waitForOutcome(turnId);
      await eventually(
        () => readState(workflowId),
        ({ status }) => status === 'cancelled',
      );

      expect(turn.outcome).toBe('cancelled');
    });

    test('a turn that was started again takes the answer that the other agent has given', async () => {
      const helper = await lab.scene({ execution });
      const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
      scene.reply(callOfHelper, { text: 'It says yes.' });
      helper.reply({ text: 'Yes.', delayMs: 1_500 });
      const turnId = await scene.say('Ask.');
      await helper.waitForRequest(1);
      await forget(turnId);
      await lab.waitUntilSettled(await readChildTurnId(turnId));
      await lab.sweep();
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({
        outcome: 'completed',
        toolCalls: [{ status: 'succeeded', result: 'Yes.' }],
      });
      expect(helper.requests()).toHaveLength(1);
    });

    test('a turn and the one it waits for are both started again', async () => {
      const helper = await lab.scene({ execution });
      const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
      scene.reply(callOfHelper, { text: 'It says yes.' });
      helper.reply({ text: 'I think ', hang: true }, { text: 'Yes.' });
      const turnId = await scene.say('Ask.');
      await helper.waitForRequest(1);
      await forget(turnId);
      await forget(await readChildTurnId(turnId));
      await lab.sweep();
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({
        outcome: 'completed',
        toolCalls: [{ status: 'succeeded', result: 'Yes.' }],
      });
    });
  });

  test('a workflow that the engine has forgotten is not started twice: its outcome is unknown', async () => {
    const scene = await lab.scene({ tools: [workflowTool('wait')] });
    scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'Please look yourself.' });
    const turnId = await scene.say('Wait.');
    const workflowId = await waitForChild(turnId);
    await forget(turnId);
    await deleteWorkflow(workflowId);
    await eventually(
      () => readState(workflowId),
      ({ status }) => status === 'missing',
    );
    await lab.sweep();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'unknown' }] });
    expect(await readState(workflowId)).toEqual({ status: 'missing' });
  });

  test('nor is it when the caller of the turn has started it again', async () => {
    const scene = await lab.scene({ tools: [workflowTool('wait')] });
    scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'Please look yourself.' });
    const turnId = await scene.say('Wait.');
    const workflowId = await waitForChild(turnId);
    await forget(turnId);
    await deleteWorkflow(workflowId);
    await eventually(
      () => readState(workflowId),
      ({ status }) => status === 'missing',
    );
    await scene.say('Wait.', { turnId });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'unknown' }] });
    expect(await readState(workflowId)).toEqual({ status: 'missing' });
  });

  test('a workflow that could not be started is told as such, and not as unknown', async () => {
    await lab.asOwner(`
      CREATE FUNCTION refuse_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.name = 'refund' AND NEW.child_workflow_id IS NOT NULL THEN RAISE 'the disk is full'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse_link BEFORE UPDATE ON tool_calls FOR EACH ROW EXECUTE FUNCTION refuse_link()`);
    const scene = await lab.scene({ tools: [workflowTool('refund')] });
    const input = { order: 'A-1', amount: 20 };
    scene.reply({ toolCalls: [{ name: 'refund', arguments: input }] }, { text: 'Nothing was paid.' });
    const turn = await lab.waitForOutcome(await scene.say('Refund.'));
    await lab.asOwner('DROP TRIGGER refuse_link ON tool_calls');

    expect(turn).toMatchObject({ outcome: 'completed', toolCalls: [{ status: 'failed', attempts: 1 }] });
  });

  test('a turn that is ended by force takes the turns below with it once it is settled', async () => {
    const helper = await lab.scene();
    const scene = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
    scene.reply(callOfHelper);
    helper.reply({ text: 'I think ', hang: true });
    const turnId = await scene.say('Ask.');
    const request = await helper.waitForRequest(1);
    await lab.client.workflow.getHandle(`turn-${turnId}`).terminate('by hand');
    await age(turnId);
    await lab.sweep();
    await request.closed;

    expect(await lab.waitUntilSettled(turnId)).toMatchObject({
      outcome: 'failed',
      toolCalls: [{ status: 'failed' }],
    });
    expect(await lab.waitForOutcome(await readChildTurnId(turnId))).toMatchObject({ outcome: 'cancelled' });
  });

  test('a turn below that is ended by force is told to the agent that waits for it', async () => {
    const helper = await lab.scene();
    const scene = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
    scene.reply(callOfHelper, { text: 'Somebody stopped it.' });
    helper.reply({ text: 'I think ', hang: true });
    const turnId = await scene.say('Ask.');
    await helper.waitForRequest(1);
    await lab.client.workflow.getHandle(`turn-${await readChildTurnId(turnId)}`).terminate('by hand');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({
      outcome: 'completed',
      toolCalls: [{ status: 'failed', error: { details: { outcome: 'failed' } } }],
    });
    await lab.cancelTurn(turn.toolCalls[0]?.childTurnId ?? '');
  });

  test('a child turn that is stored but was never started is started by the sweeper', async () => {
    const helper = await lab.scene();
    const scene = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
    helper.reply({ text: 'Yes.' });
    const { turnId } = await helper.submit('Go.');
    const parent = await scene.submit('Ask.');
    await lab.database.system('turns').where({ id: turnId }).update({ parent_turn_id: parent.turnId });
    await age(turnId);
    await lab.sweep();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', parentTurnId: parent.turnId });
    const description = await lab.client.workflow.getHandle(`turn-${turnId}`).describe();
    expect(description.memo).toEqual({ parentTurnId: parent.turnId });
  });
});
