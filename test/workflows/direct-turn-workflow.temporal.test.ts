import { describe, expect, test } from 'vitest';
import { createBudget } from '../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../src/modules/credits/workspace-prices.ts';
import { agentTool, ask } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { fetchTurnHistory, listScheduledActivities, recordHistory } from '../labs/histories.ts';
import { calculate, callPay, mcpTool, payTool } from '../labs/lab-tools.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';

const gate = { opened: Promise.withResolvers<undefined>() };

const lab = openForTests(async () => {
  const server = await startScriptedServer({
    pay: () => textResult('paid'),
    break: () => ({ ...textResult('broken'), isError: true }),
    hold: async () => {
      await gate.opened.promise;
      return textResult('held');
    },
  });
  const mcpServers = { lab: { url: server.url } };
  const opened = await startTurnLab({ mcpServers, environment: withoutPlaces });
  const close = async () => {
    await opened.close();
    await server.close();
  };
  return { ...opened, close };
});

const add = { name: 'calculate', arguments: { expression: '1 + 1' } };

/** Returns the activities of the workflow of a turn, and of all its runs. */
const listActivities = async (turnId: string) => listScheduledActivities(await fetchTurnHistory(lab, turnId));

describe('the workflow of a direct turn that has none before', () => {
  test('runs all steps in one activity, and no part of it in a workflow task', async () => {
    const scene = await lab.scene({ execution: 'direct', tools: [calculate, mcpTool('break')] });
    scene.reply({ toolCalls: [add, { name: 'break', arguments: {} }] }, { text: 'Two.' });
    const turn = await lab.waitForOutcome(await scene.say('What is 1 + 1?'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Two.', iterations: 2 });
    const history = await fetchTurnHistory(lab, turn.id);
    expect(listScheduledActivities(history)).toEqual(['runTurn']);
    const markers = history.events?.map((event) => event.markerRecordedEventAttributes?.markerName);
    expect(markers).not.toContain('core_local_activity');
    await recordHistory(lab, 'completed-direct', turn.id);
  });

  test('asks the model without tools at the limit of iterations', async () => {
    const scene = await lab.scene({ execution: 'direct', tools: [calculate], limits: { maxIterations: 1 } });
    scene.reply({ toolCalls: [add] }, { text: 'At least two.' });
    const turn = await lab.waitForOutcome(await scene.say('Count.'));
    expect(turn).toMatchObject({ outcome: 'iteration_limit', answer: 'At least two.' });
    await recordHistory(lab, 'iteration-limit-direct', turn.id);
  });

  test('ends at the deadline of the turn with what the model has said', async () => {
    const scene = await lab.scene({ execution: 'direct', limits: { turnTimeoutMs: 15_000 } });
    scene.reply({ text: 'The first chapter ', hang: true });
    const turn = await lab.waitForOutcome(await scene.say('Write a novel.'));
    expect(turn).toMatchObject({ outcome: 'timed_out', error: { code: 'TURN_TIMED_OUT' } });
    expect(turn.answer).toContain('The first chapter');
    await recordHistory(lab, 'timed-out-direct', turn.id);
  });

  test('is cancelled while the model answers', async () => {
    const scene = await lab.scene({ execution: 'direct' });
    scene.reply({ text: 'Once upon a time ', hang: true });
    const turnId = await scene.say('Tell me a story.');
    const request = await scene.waitForRequest(1);
    await eventually(
      () => lab.readChunks(turnId),
      (chunks) => chunks.length > 0,
    );
    await lab.cancelTurn(turnId);
    await request.closed;
    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'cancelled', error: null });
    expect(turn.answer).toContain('Once upon a time');
    await recordHistory(lab, 'cancelled-direct', turn.id);
  });

  test('takes a message that steers it before its next model call', async () => {
    gate.opened = Promise.withResolvers();
    const scene = await lab.scene({ execution: 'direct', tools: [mcpTool('hold')] });
    scene.reply({ toolCalls: [{ name: 'hold', arguments: {} }] }, { text: 'Both.' });
    const turnId = await scene.say('Hold it.');
    await eventually(
      () => lab.readLedger(turnId),
      (calls) => calls.some(({ status }) => status === 'started'),
    );
    const steered = await scene.say('And this.', { onBusy: 'steer' });
    gate.opened.resolve(undefined);

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Both.' });
    expect(scene.requests()).toHaveLength(2);
    expect(scene.requests()[1]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'And this.' });
    expect(await listActivities(steered)).toEqual([]);
  });

  test('continues after a person has decided', async () => {
    const scene = await lab.scene({ execution: 'direct', tools: [payTool()] });
    scene.reply(callPay(3), { text: 'Paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  test('asks another direct agent, whose turn is one activity too', async () => {
    const helper = await lab.scene({ execution: 'direct', tools: [calculate] });
    const tools = [agentTool('helper', helper.agent.id)];
    const scene = await lab.scene({ execution: 'direct', tools });
    scene.reply(ask('helper'), { text: 'My helper says two.' });
    helper.reply({ toolCalls: [add] }, { text: 'Two.' });
    const turn = await lab.waitForOutcome(await scene.say('Ask your helper.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'My helper says two.' });
    expect(await listActivities(turn.id)).toEqual(['runTurn', 'beginToolCall', 'endToolCall', 'runTurn']);
    expect(await listActivities(turn.toolCalls[0]?.childTurnId ?? '')).toEqual(['runTurn']);
  });

  // Last, since all turns of the workspace spend it.
  test('fails at the model call that would break a budget', async () => {
    await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
    await createBudget(lab, lab, { scope: 'workspace', period: 'total', credits: 1_500n });
    const scene = await lab.scene({ execution: 'direct', tools: [calculate] });
    scene.reply({ toolCalls: [add] });
    const turn = await lab.waitForOutcome(await scene.say('What is 1 + 1?'));
    expect(turn).toMatchObject({ outcome: 'failed', iterations: 1, error: { code: 'BUDGET_EXCEEDED' } });
    expect(scene.requests()).toHaveLength(1);
  });
});
