import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeylessActor } from '../../../src/domain/actor.ts';
import { decideAction } from '../../../src/modules/actions/decide-action.ts';
import { executionModes, type ExecutionMode } from '../../../src/domain/agent.ts';
import { eventually } from '../../labs/eventually.ts';
import { callPay, payTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

let lab: TurnLab;
let server: ScriptedServer;
const paid: number[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    pay: ({ arguments: { amount } }) => {
      paid.push(amount as number);
      return textResult('paid');
    },
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

let lastAmount = 0;

/** A turn whose call of `pay`, for an amount of its own, waits for an approval in a run that does nothing else. */
async function startWaiting(execution: ExecutionMode, { goesOn = true } = {}) {
  const amount = ++lastAmount;
  const scene = await lab.scene({ execution, tools: [payTool()] });
  scene.reply(callPay(amount), ...(goesOn ? [{ text: 'Paid.' }] : []));
  const turnId = await scene.say('Pay.');
  const [action] = await lab.waitForActions(turnId);
  const runIds = await waitForWaitingRun(turnId);
  return { amount, turnId, actionId: action?.id ?? '', runIds };
}

/** Waits until a run that only waits has looked at what is stored, so that a signal or the sweeper has to tell it more. */
async function waitForWaitingRun(turnId: string, { otherThan = [] as string[] } = {}): Promise<string[]> {
  const workflow = lab.client.workflow.getHandle(`turn-${turnId}`);
  const read = async () => {
    const { runId } = await workflow.describe();
    const { events } = await lab.client.workflow.getHandle(workflow.workflowId, runId).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    return {
      runIds: [started?.firstExecutionRunId ?? '', runId],
      waits:
        started?.continuedExecutionRunId !== '' && events?.some((event) => event.timerStartedEventAttributes),
    };
  };
  const { runIds } = await eventually(
    () => read().catch(() => ({ runIds: [''], waits: false })),
    (run) => run.waits === true && !run.runIds.some((id) => otherThan.includes(id)),
  );
  return runIds;
}

/** Approves an action as a process does that dies before it has told the turn. */
async function decideAndDie(actionId: string): Promise<void> {
  const dependencies = { ...lab.turns, notifyDecision: () => Promise.resolve() };
  const input = { decision: 'approve' } as const;
  await decideAction(dependencies, createKeylessActor(lab.workspaceId, 'temporal'), { id: actionId, input });
  // The sweeper leaves the others some time to tell the turn.
  const decidedAt = new Date(Date.now() - 20_000);
  await lab.database.system('pending_actions').where({ id: actionId }).update({ decided_at: decidedAt });
}

/** Deletes the workflow of a turn from Temporal, as the loss of its database would. */
async function forget(turnId: string, runIds: string[]): Promise<void> {
  const workflowId = `turn-${turnId}`;
  for (const runId of runIds.toReversed()) {
    const workflowExecution = { workflowId, runId };
    await lab.client.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
  }
  await eventually(
    () => lab.engine.findTurnWorkflow(turnId),
    (state) => state === 'missing',
  );
}

test.for(executionModes)(
  'a decision of which an %s turn was not told is told by the sweeper, and the call runs once',
  async (execution) => {
    const { amount, turnId, actionId } = await startWaiting(execution);
    await decideAndDie(actionId);
    const before = await lab.readTurn(turnId);
    await Promise.all([lab.sweep(), lab.sweep()]);
    const turn = await lab.waitForOutcome(turnId);
    await lab.sweep();

    expect(before).toMatchObject({ status: 'waiting_for_approval' });
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', pendingActions: [] });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(paid.filter((one) => one === amount)).toHaveLength(1);
  },
);

test.for(executionModes)(
  'a waiting %s turn whose workflow is lost gets another one, which waits for the same decision',
  async (execution) => {
    const { amount, turnId, actionId, runIds } = await startWaiting(execution);
    await forget(turnId, runIds);
    await lab.sweep();
    await waitForWaitingRun(turnId, { otherThan: runIds });
    const [waiting] = await lab.waitForActions(turnId);
    await lab.decide(actionId, { decision: 'approve' });
    const turn = await lab.waitForOutcome(turnId);
    await lab.sweep();

    expect(waiting).toMatchObject({ id: actionId, status: 'pending' });
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', iterations: 2, pendingActions: [] });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(paid.filter((one) => one === amount)).toHaveLength(1);
  },
);

test('a decision about a turn whose workflow is lost is taken up by the workflow that the sweeper starts', async () => {
  const { amount, turnId, actionId, runIds } = await startWaiting('inspectable');
  await forget(turnId, runIds);
  await decideAndDie(actionId);
  await lab.sweep();
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', pendingActions: [] });
  expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  expect(paid.filter((one) => one === amount)).toHaveLength(1);
});

test('a waiting turn whose workflow an operator terminates fails, and nobody can decide about it any more', async () => {
  const { amount, turnId, actionId } = await startWaiting('inspectable', { goesOn: false });
  await lab.client.workflow.getHandle(`turn-${turnId}`).terminate('by an operator');
  await lab.sweep();
  const turn = await lab.readTurn(turnId);

  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' }, pendingActions: [] });
  expect(turn.answer).toContain('ended by force');
  await expect(lab.decide(actionId, { decision: 'approve' })).rejects.toMatchObject({
    code: 'ACTION_DECIDED',
    details: { status: 'cancelled' },
  });
  expect(turn.toolCalls).toMatchObject([{ status: 'failed', attempts: 0 }]);
  expect(paid.filter((one) => one === amount)).toEqual([]);
});
