import type { History } from '@temporalio/common/lib/proto-utils.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { eventually } from '../../labs/eventually.ts';
import { agentTool } from '../../labs/child-tools.ts';
import { fetchTurnHistory, recordRuns } from '../../labs/histories.ts';
import { calculate, callPay as pay, payTool } from '../../labs/lab-tools.ts';
import { shareTurnLab, startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

/** The tests of a mode share a lab, and run one after the other beside those of the other mode. */
const inOrder = { concurrent: false };

describe.concurrent.each(executionModes)('in a turn in %s execution', (execution) => {
  let lab: TurnLab;
  let server: ScriptedServer;
  const paid: unknown[] = [];

  beforeAll(async () => {
    server = await startScriptedServer({
      pay: ({ arguments: input }) => {
        paid.push(input);
        return textResult('paid');
      },
    });
    lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  test('a call that is approved runs once, after the decision', inOrder, async () => {
    paid.length = 0;
    const scene = await lab.scene({ execution, tools: [payTool(), calculate] });
    const both = [...pay(5).toolCalls, { name: 'calculate', arguments: { expression: '1 + 1' } }];
    scene.reply({ toolCalls: both }, { text: 'Paid.' });
    const turnId = await scene.say('Pay five.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ kind: 'approval', tool: 'pay', arguments: { amount: 5 }, turnId });
    expect(paid).toEqual([]);
    const waiting = await lab.readTurn(turnId);
    expect(waiting.toolCalls.map(({ status }) => status)).toEqual(['requested', 'succeeded']);
    expect(waiting.deadlineAt).toBeNull();
    const decided = await lab.decide(action?.id ?? '', { decision: 'approve' });
    const turn = await lab.waitForOutcome(turnId);

    expect(decided).toMatchObject({ status: 'approved', decidedBy: { apiKeyId: null, actingFor: null } });
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', pendingActions: [] });
    expect(turn.toolCalls[0]).toMatchObject({ status: 'succeeded', attempts: 1 });
    const startedAt = Date.parse(turn.toolCalls[0]?.startedAt ?? '');
    expect(startedAt).toBeGreaterThanOrEqual(Date.parse(decided.decidedAt ?? ''));
    expect(paid).toEqual([{ amount: 5 }]);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.filter(({ type }) => type.startsWith('action.')).map(({ type }) => type)).toEqual([
      'action.requested',
      'action.decided',
    ]);
  });

  test('a call that is rejected does not run, and the model is told why', inOrder, async () => {
    paid.length = 0;
    const scene = await lab.scene({ execution, tools: [payTool()] });
    scene.reply(pay(5), pay(5), { text: 'Not paid.' });
    const turnId = await scene.say('Pay five.');
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'reject', reason: 'Too much.' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Not paid.' });
    // The second call is the same, so nobody is asked again.
    expect(turn.toolCalls).toMatchObject([
      { status: 'failed', error: { code: 'APPROVAL_REJECTED' } },
      { status: 'failed', error: { code: 'APPROVAL_REJECTED' } },
    ]);
    expect(turn.toolCalls[0]?.error?.message).toContain('A person declined: Too much.');
    expect(paid).toEqual([]);
  });

  test('arguments that a person changed run, and are checked by schema and rules', inOrder, async () => {
    paid.length = 0;
    const rules = {
      toolPolicies: { pay: { maximums: { amount: 10 } } },
      canaryTokens: [],
      onBlocked: 'continue' as const,
    };
    const scene = await lab.scene({ execution, tools: [payTool()], rules });
    scene.reply(pay(5), pay(6), { text: 'Done.' });
    const turnId = await scene.say('Pay.');
    const [first] = await lab.waitForActions(turnId);
    await expect(
      lab.decide(first?.id ?? '', { decision: 'approve', arguments: { amount: 'much' } }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await lab.decide(first?.id ?? '', { decision: 'approve', arguments: { amount: 7 } });
    const [second] = await lab.waitForActions(turnId);
    await lab.decide(second?.id ?? '', { decision: 'approve', arguments: { amount: 100 } });
    const turn = await lab.waitForOutcome(turnId);

    expect(paid).toEqual([{ amount: 7 }]);
    expect(turn.toolCalls).toMatchObject([
      { status: 'succeeded', arguments: { amount: 5 } },
      { status: 'blocked', arguments: { amount: 6 } },
    ]);
    expect(turn.toolCalls[0]?.result).toContain('{"amount":7}');
  });

  test('a call about which nobody decides expires, and the model goes on', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [payTool()], limits: { approvalTimeoutMs: 5_000 } });
    scene.reply(pay(5), { text: 'Nobody was there.' });
    const turnId = await scene.say('Pay.');
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Nobody was there.' });
    expect(turn.toolCalls).toMatchObject([
      { error: { code: 'APPROVAL_EXPIRED', message: 'Nobody decided within 5 seconds; it was not run.' } },
    ]);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.map(({ type }) => type)).toContain('action.reminded');
    expect(events.map(({ type }) => type)).toContain('action.expired');
  });

  test(
    'each of several calls runs with its own arguments, in the order of the decisions',
    inOrder,
    async () => {
      paid.length = 0;
      const scene = await lab.scene({ execution, tools: [payTool()] });
      scene.reply(pay(1, 2, 3), { text: 'Done.' });
      const turnId = await scene.say('Pay.');
      const actions = await lab.waitForActions(turnId, 3);
      const idOf = (wanted: number) => actions.find((one) => one.arguments['amount'] === wanted)?.id ?? '';
      await lab.decide(idOf(3), { decision: 'approve' });
      await eventually(
        () => paid.length,
        (count) => count === 1,
      );
      await lab.decide(idOf(1), { decision: 'approve' });
      await eventually(
        () => paid.length,
        (count) => count === 2,
      );
      await lab.decide(idOf(2), { decision: 'reject' });
      await lab.waitForOutcome(turnId);

      expect(paid).toEqual([{ amount: 3 }, { amount: 1 }]);
    },
  );

  test('a turn that waits can be cancelled, and its actions with it', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [payTool()] });
    scene.reply(pay(5));
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);
    expect(await lab.cancelTurn(turnId)).toEqual({ running: true });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'cancelled', pendingActions: [] });
    await expect(lab.decide(action?.id ?? '', { decision: 'approve' })).rejects.toMatchObject({
      code: 'ACTION_DECIDED',
      details: { status: 'cancelled' },
    });
  });

  test(
    'a turn that waits is a run of its own, which goes on at once when somebody decides',
    inOrder,
    async () => {
      const scene = await lab.scene({ execution, tools: [payTool()] });
      scene.reply(pay(5), { text: 'Paid.' });
      const turnId = await scene.say('Pay.');
      const [action] = await lab.waitForActions(turnId);
      const first = await fetchTurnHistory(lab, turnId);
      const waiting = await eventually(
        () => fetchTurnHistory(lab, turnId),
        ({ events }) => toRunId(events) !== toRunId(first.events) && (events?.length ?? 0) > 9,
      );

      // It waits for its timer: no task and no activity is open.
      expect(waiting.events?.at(-1)?.timerStartedEventAttributes).toBeTruthy();
      await lab.decide(action?.id ?? '', { decision: 'approve' });
      expect((await lab.waitForOutcome(turnId)).outcome).toBe('completed');
      await recordRuns(lab, `approval-${execution}`, turnId);
    },
  );

  test('a person who works with Temporal alone decides by an update, which is checked', inOrder, async () => {
    paid.length = 0;
    const scene = await lab.scene({ execution, tools: [payTool()] });
    scene.reply(pay(5), { text: 'Paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);
    const workflow = lab.client.workflow.getHandle(`turn-${turnId}`);
    const decide = (input: object) => workflow.executeUpdate('decideAction', { args: [input] });

    await expect(decide({ actionId: action?.id, decision: 'perhaps' })).rejects.toThrow(
      'Workflow Update failed',
    );
    expect(
      await decide({ actionId: action?.id, decision: 'approve', arguments: { amount: 4 }, actingFor: 'Ada' }),
    ).toEqual({ status: 'approved' });
    expect((await lab.waitForOutcome(turnId)).outcome).toBe('completed');
    expect(paid).toEqual([{ amount: 4 }]);
  });

  test('of many decisions at the same moment one counts', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [payTool()] });
    scene.reply(pay(5), { text: 'Done.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);
    const ends = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        lab.decide(action?.id ?? '', { decision: 'reject', reason: `Reason ${index}.` }),
      ),
    );
    await lab.waitForOutcome(turnId);

    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

function toRunId(events: History['events']): string | null | undefined {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId;
}

test.concurrent(
  'an approval below another agent lets both turns wait, and shows at the one that was asked',
  async ({ onTestFinished }) => {
    const lab = await shareTurnLab();
    onTestFinished(() => lab.close());
    const guarded = { ...calculate, settings: { approval: 'ask' as const } };
    const helper = await lab.scene({ tools: [guarded] });
    const top = await lab.scene({
      tools: [agentTool('helper', helper.agent.id)],
      limits: { turnTimeoutMs: 8_000 },
    });
    top.reply(
      { toolCalls: [{ name: 'helper', arguments: { message: 'What is 20 + 3?' } }] },
      { text: 'It is 23.' },
    );
    const call = { name: 'calculate', arguments: { expression: '20 + 3' } };
    helper.reply({ toolCalls: [call] }, { toolCalls: [call] }, { text: '23' });
    const turnId = await top.say('Ask your helper.');
    const [first] = await lab.waitForActions(turnId);

    expect(first?.turnId).not.toBe(turnId);
    expect(first?.rootTurnId).toBe(turnId);
    // Longer than the time of the turn, which stands still.
    await sleep(9_000);
    await lab.decide(first?.id ?? '', { decision: 'approve' });
    const [second] = await eventually(
      () => lab.readTurn(turnId).then(({ pendingActions }) => pendingActions),
      (actions) => actions.length === 1 && actions[0]?.id !== first?.id,
    );
    await lab.decide(second?.id ?? '', { decision: 'approve' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is 23.', pendingActions: [] });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', result: '23' }]);
  },
);
