import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { ToolSettings } from '../../src/domain/tool.ts';
import { steerMessage, withdrawMessage } from '../../src/modules/turns/messages/queued-messages.ts';
import { agentTool } from '../labs/child-tools.ts';
import { eventually } from '../labs/eventually.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

/** The roles and texts of the last request to a scene's model, without its instructions. */
function lastPrompt(scene: LabScene): string[] {
  const [, ...messages] = scene.requests().at(-1)?.body.messages ?? [];
  return messages.map(({ role, content }) => `${role}: ${content ?? ''}`);
}

describe.each(executionModes)('in a turn in %s execution', (execution) => {
  let lab: TurnLab;
  let server: ScriptedServer;
  const ran: string[] = [];
  /** The calls of `hold` wait for it. */
  let gate = Promise.withResolvers<undefined>();

  beforeAll(async () => {
    server = await startScriptedServer({
      pay: () => {
        ran.push('pay');
        return textResult('paid');
      },
      look: () => {
        ran.push('look');
        return textResult('seen');
      },
      hold: async () => {
        ran.push('hold');
        await gate.promise;
        return textResult('held');
      },
    });
    lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  const readOnly: ToolSettings = { effect: 'read_only' };
  const tools = [mcpTool('pay'), mcpTool('look', readOnly), mcpTool('hold', readOnly)];

  function call(...names: string[]) {
    return { toolCalls: names.map((name) => ({ name, arguments: {} })) };
  }

  /** A turn whose tool `hold` runs until `release` is called. */
  async function startHeld(...replies: Parameters<LabScene['reply']>) {
    ran.length = 0;
    gate = Promise.withResolvers();
    const scene = await lab.scene({ execution, tools });
    scene.reply(call('hold'), ...replies);
    const turnId = await scene.say('First.');
    await eventually(
      () => ran,
      (list) => list.includes('hold'),
    );
    return { scene, turnId, release: () => gate.resolve(undefined) };
  }

  const typesOf = async (scene: LabScene, kind: string) =>
    (await lab.readEvents(scene.conversationId))
      .filter(({ type }) => type.startsWith(kind))
      .map(({ type, turnId }) => [type, turnId]);

  test('a message that steers is seen by the next model call, after the results of the iteration', async () => {
    const { scene, turnId, release } = await startHeld({ text: 'Both done.' });
    const second = await scene.say('Second.', { onBusy: 'steer' });
    const third = await scene.say('Third.', { onBusy: 'steer', expectedTurnId: turnId });
    expect(await lab.readTurn(second)).toMatchObject({ status: 'queued' });
    release();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Both done.', iterations: 2 });
    expect(lastPrompt(scene)).toEqual([
      'user: First.',
      'assistant: ',
      'tool: held',
      'user: Second.\n\nThird.',
    ]);
    expect(await lab.waitUntilSettled(second)).toMatchObject({ outcome: 'steered', steeredInto: turnId });
    expect(await lab.readTurn(third)).toMatchObject({ outcome: 'steered', steeredInto: turnId });
    expect(await typesOf(scene, 'message.')).toEqual([
      ['message.created', turnId],
      ['message.queued', second],
      ['message.queued', third],
      ['message.steered', turnId],
      ['message.steered', turnId],
      ['message.created', turnId],
    ]);
  });

  test('a message that comes while the model gives its last answer is answered in the same turn', async () => {
    ran.length = 0;
    const answer = Promise.withResolvers<undefined>();
    const scene = await lab.scene({ execution, tools });
    scene.reply({ text: 'One.', until: answer.promise }, { text: 'Two.' });
    const turnId = await scene.say('First.');
    await scene.waitForRequest(1);
    await scene.say('Second.', { onBusy: 'steer' });
    answer.resolve(undefined);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Two.', iterations: 2 });
    expect(lastPrompt(scene)).toEqual(['user: First.', 'assistant: One.', 'user: Second.']);
  });

  test('calls that have not begun when the message comes are skipped, and the model is told', async () => {
    ran.length = 0;
    const answer = Promise.withResolvers<undefined>();
    const scene = await lab.scene({ execution, tools });
    scene.reply({ ...call('pay', 'look'), until: answer.promise }, { text: 'Stopped.' });
    const turnId = await scene.say('Pay.');
    await scene.waitForRequest(1);
    await scene.say('No, do not.', { onBusy: 'steer' });
    answer.resolve(undefined);
    const turn = await lab.waitForOutcome(turnId);

    expect(ran).toEqual([]);
    expect(turn.toolCalls.map(({ status, error }) => [status, error?.code])).toEqual([
      ['skipped', 'TOOL_SKIPPED'],
      ['skipped', 'TOOL_SKIPPED'],
    ]);
    expect(lastPrompt(scene).slice(2)).toEqual([
      expect.stringContaining('tool: TOOL_SKIPPED: pay was not run'),
      expect.stringContaining('tool: TOOL_SKIPPED: look was not run'),
      'user: No, do not.',
    ]);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Stopped.' });
  });

  test('a message that steers ends what waits for people, in turns below as well', async () => {
    ran.length = 0;
    const child = await lab.scene({ execution, tools: [mcpTool('pay', { approval: 'ask' })] });
    child.reply(call('pay'), { text: 'It was not paid.' });
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('pay', { approval: 'ask' }), agentTool('helper', child.agent.id)],
    });
    const toHelper = { name: 'helper', arguments: { message: 'Pay it.' } };
    scene.reply({ toolCalls: [{ name: 'pay', arguments: {} }, toHelper] }, { text: 'Changed.' });
    const turnId = await scene.say('Pay.');
    await lab.waitForActions(turnId, 2);
    await scene.say('Wait.', { onBusy: 'steer' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Changed.', pendingActions: [] });
    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['skipped', 'succeeded']);
    expect(ran).toEqual([]);
    expect(lastPrompt(scene).at(-1)).toBe('user: Wait.');
    expect(await typesOf(scene, 'action.')).toEqual([
      ['action.requested', turnId],
      ['action.cancelled', turnId],
    ]);
  });

  test('a message of another person leaves what waits for people, and starts a turn of its own', async () => {
    ran.length = 0;
    const scene = await lab.scene({ execution, tools: [mcpTool('pay', { approval: 'ask' })] });
    scene.reply(call('pay'), { text: 'Paid.' }, { text: 'Hello Ann.' });
    const turnId = await scene.say('Pay.', { actingFor: 'bob' });
    const [action] = await lab.waitForActions(turnId);
    const second = await scene.say('Wait.', { actingFor: 'ann', onBusy: 'steer' });
    await lab.decide(action?.id ?? '', { decision: 'approve' });

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Paid.' });
    expect(ran).toEqual(['pay']);
    expect(await lab.waitForOutcome(second)).toMatchObject({
      outcome: 'completed',
      answer: 'Hello Ann.',
      startedBy: { actingFor: 'ann' },
    });
    expect(await typesOf(scene, 'action.')).toEqual([
      ['action.requested', turnId],
      ['action.decided', turnId],
    ]);
  });

  test('a message that interrupts cancels the turn, and starts the next one with what was said', async () => {
    const { scene, turnId } = await startHeld({ text: 'Instead.' });
    const second = await scene.say('Stop, do this.', { onBusy: 'interrupt' });
    const first = await lab.waitForOutcome(turnId);
    const turn = await lab.waitForOutcome(second);
    gate.resolve(undefined);

    expect(first).toMatchObject({ outcome: 'cancelled', rolledBack: false });
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Instead.' });
    expect(lastPrompt(scene)).toEqual([
      'user: First.',
      'assistant: ',
      expect.stringMatching(/^tool: /),
      expect.stringMatching(/^user: \[A note .* The turn was cancelled\.\]\n\nStop, do this\.$/),
    ]);
    expect(await typesOf(scene, 'message.promoted')).toEqual([['message.promoted', second]]);
  });

  test('a message that rolls back hides the turn from the model, and keeps its ledger', async () => {
    const { scene, turnId } = await startHeld({ text: 'Anew.' });
    const second = await scene.say('Forget that.', { onBusy: 'rollback' });
    const first = await lab.waitForOutcome(turnId);
    const turn = await lab.waitForOutcome(second);
    gate.resolve(undefined);

    expect(first).toMatchObject({ outcome: 'cancelled', rolledBack: true });
    expect(first.toolCalls).toMatchObject([{ name: 'hold' }]);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Anew.' });
    expect(lastPrompt(scene)).toEqual(['user: Forget that.']);
  });

  test('a turn whose call changed something is rolled back only when that is confirmed', async () => {
    ran.length = 0;
    gate = Promise.withResolvers();
    const scene = await lab.scene({ execution, tools });
    scene.reply(call('pay'), call('hold'), { text: 'Anew.' });
    const turnId = await scene.say('Pay.');
    await eventually(
      () => ran,
      (list) => list.includes('hold'),
    );
    await expect(scene.say('Forget that.', { onBusy: 'rollback' })).rejects.toMatchObject({
      code: 'ROLLBACK_REFUSED',
      details: { turnId, toolCalls: [{ name: 'pay', status: 'succeeded' }] },
    });
    expect(await lab.readTurn(turnId)).toMatchObject({ status: 'running', rolledBack: false });
    const second = await scene.say('Forget that.', { onBusy: 'rollback', confirmRollback: true });
    const turn = await lab.waitForOutcome(second);
    gate.resolve(undefined);

    expect(turn).toMatchObject({ outcome: 'completed' });
    expect(lastPrompt(scene)).toEqual(['user: Forget that.']);
    expect((await lab.readLedger(turnId)).map(({ name, status }) => [name, status])[0]).toEqual([
      'pay',
      'succeeded',
    ]);
  });

  test('a queued message is steered or withdrawn by its id', async () => {
    const { scene, turnId, release } = await startHeld({ text: 'Done.' });
    const steered = await scene.say('Steered later.', { onBusy: 'enqueue' });
    const withdrawn = await scene.say('Never mind.', { onBusy: 'enqueue' });
    const idOf = async (id: string) => (await lab.readTurn(id)).messageId ?? '';
    await steerMessage(lab.turns, lab, { messageId: await idOf(steered) });
    const messageId = await idOf(withdrawn);
    expect(await withdrawMessage(lab.turns, lab, messageId)).toMatchObject({ outcome: 'cancelled' });
    await expect(withdrawMessage(lab.turns, lab, messageId)).rejects.toMatchObject({ code: 'MESSAGE_TAKEN' });
    release();
    await lab.waitForOutcome(turnId);

    expect(lastPrompt(scene)).toEqual(['user: First.', 'assistant: ', 'tool: held', 'user: Steered later.']);
    expect(await lab.readTurn(steered)).toMatchObject({ outcome: 'steered' });
    scene.reply({ text: 'Next.' });
    await lab.waitForOutcome(await scene.say('And now?'));
    expect(lastPrompt(scene)).toEqual([
      'user: First.',
      'assistant: ',
      'tool: held',
      'user: Steered later.',
      'assistant: Done.',
      'user: And now?',
    ]);
  });

  test('a message for a turn that has ended is refused', async () => {
    const scene = await lab.scene({ execution, tools });
    scene.reply({ text: 'Done.' });
    const turnId = await scene.say('First.');
    await lab.waitForOutcome(turnId);
    await expect(scene.say('Second.', { onBusy: 'steer', expectedTurnId: turnId })).rejects.toMatchObject({
      code: 'TURN_MISMATCH',
      details: { turnId: null },
    });
  });

  test('a message that steers starts a turn when none runs', async () => {
    const scene = await lab.scene({ execution, tools });
    scene.reply({ text: 'Done.' });
    const turn = await lab.waitForOutcome(await scene.say('First.', { onBusy: 'steer' }));
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  });

  test('a message that the turn did not take before it failed starts the next turn', async () => {
    const answer = Promise.withResolvers<undefined>();
    const scene = await lab.scene({ execution, tools });
    scene.reply({ status: 401, until: answer.promise }, { text: 'Now it works.' });
    const turnId = await scene.say('First.');
    await scene.waitForRequest(1);
    const second = await scene.say('Second.', { onBusy: 'steer' });
    answer.resolve(undefined);
    expect(await lab.waitUntilSettled(turnId)).toMatchObject({ outcome: 'failed' });
    expect(await lab.waitForOutcome(second)).toMatchObject({ outcome: 'completed', answer: 'Now it works.' });
  });
});
