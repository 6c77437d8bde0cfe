import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudget } from '../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../src/modules/credits/workspace-prices.ts';
import { executionModes } from '../../src/domain/agent.ts';
import { cancelTurn } from '../../src/modules/turns/cancel-turn.ts';
import { steerMessage } from '../../src/modules/turns/messages/queued-messages.ts';
import { eventually } from '../labs/eventually.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

const now = { onBusy: 'steer', now: true } as const;

/** Returns the messages of the user in each prompt. */
function listPrompts(scene: LabScene): string[][] {
  return scene
    .requests()
    .map(({ body }) =>
      body.messages.flatMap(({ role, content }) => (role === 'user' ? (content ?? '').split('\n\n') : [])),
    );
}

describe.each(executionModes)('in %s execution', (execution) => {
  let lab: TurnLab;
  let server: ScriptedServer;
  let gate = Promise.withResolvers<undefined>();
  let held = Promise.withResolvers<undefined>();

  beforeAll(async () => {
    server = await startScriptedServer({
      hold: async () => {
        held.resolve(undefined);
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

  /** A turn whose model has begun to answer, and does not end. */
  async function startAnswering(more: { actingFor?: string } = {}) {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Half an answer', hang: true });
    const turnId = await scene.say('First.', more);
    await eventually(
      () => lab.database.system<{ turn_id: string }>('stream_chunks').where({ turn_id: turnId }),
      (chunks) => chunks.length > 0,
    );
    return { scene, turnId };
  }

  const typesOf = async (scene: LabScene) =>
    (await lab.readEvents(scene.conversationId)).map(({ type, turnId }) => [type, turnId]);

  test('the model call that runs ends, and the model is asked again with the message', async () => {
    const { scene, turnId } = await startAnswering();
    scene.reply({ text: 'Both.', usage: { inputTokens: 7, outputTokens: 2 } });
    const second = await scene.say('Second.', now);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Both.', iterations: 1, failedAttempts: [] });
    expect(listPrompts(scene)).toEqual([['First.'], ['First.', 'Second.']]);
    await scene.requests()[0]?.closed;
    expect(scene.requests().map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(await lab.readTurn(second)).toMatchObject({ outcome: 'steered', steeredInto: turnId });
    expect(await typesOf(scene)).toEqual([
      ['turn.started', turnId],
      ['message.queued', second],
      ['model.cut_short', turnId],
      ['message.steered', turnId],
      ['message.created', turnId],
      ['turn.settled', turnId],
      ['turn.settled', second],
    ]);
    // The next call has another key, so that no vendor answers it with what it has stored for the first one.
    const keys = scene.requests().map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  test('readers are told to drop what the ended call has said', async () => {
    const { scene, turnId } = await startAnswering();
    const release = Promise.withResolvers<undefined>();
    scene.reply({ text: 'Another answer', until: release.promise });
    await scene.say('Second.', now);
    await scene.waitForRequest(2);
    const texts = await eventually(
      async () => {
        const rows = await lab.database
          .system<{ turn_id: string; text: string | null; attempt: number }>('stream_chunks')
          .where({ turn_id: turnId })
          .orderBy('id');
        return rows.map(({ text, attempt }) => [attempt, text]);
      },
      (rows) => rows.some(([, text]) => text === null),
    );
    release.resolve(undefined);
    await lab.waitForOutcome(turnId);
    expect(texts.at(-1)).toEqual([2, null]);
    expect(
      texts
        .filter(([attempt]) => attempt === 1)
        .map(([, text]) => text)
        .join(''),
    ).toBe('Half an answer');
  });

  test('what the ended call has cost counts with the answer, and for budgets', async () => {
    await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
    const { scene, turnId } = await startAnswering();
    await createBudget(lab, lab, {
      ...{ scope: 'conversation', subject: scene.conversationId, period: 'total', credits: 2_500n },
    });
    scene.reply({ text: 'Both.', usage: { inputTokens: 7, outputTokens: 2 } });
    await scene.say('Second.', now);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ credits: '2000', usage: { isEstimated: true } });
    const events = await lab.readEvents(scene.conversationId);
    const [cut] = events.flatMap((event) => (event.type === 'model.cut_short' ? [event.payload] : []));
    expect(cut?.usage.inputTokens).toBeGreaterThan(0);
    expect(turn.usage.inputTokens).toBe((cut?.usage.inputTokens ?? 0) + 7);
    expect(turn.usage.outputTokens).toBe((cut?.usage.outputTokens ?? 0) + 2);
    await setPrices(lab, lab, {});
  });

  test('a budget that has no credits for another call ends the turn, and the message starts the next one', async () => {
    await setPrices(lab, lab, { '*': { input: 0, output: 0, perCall: 0.001 } });
    const { scene, turnId } = await startAnswering();
    await createBudget(lab, lab, {
      ...{ scope: 'conversation', subject: scene.conversationId, period: 'total', credits: 1_500n },
    });
    // The next turn begins before this test has read how the first one ended.
    scene.reply({ text: 'Next.', isOptional: true });
    // Nothing was reserved for the call that runs, since the budget is younger.
    const second = await scene.say('Second.', now);
    const turn = await lab.waitUntilSettled(turnId);
    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    expect(await lab.waitUntilSettled(second)).toMatchObject({ steeredInto: null });
    await setPrices(lab, lab, {});
  });

  test('several messages in a row are all seen, in their order, by one answer', async () => {
    const { scene, turnId } = await startAnswering();
    const texts = ['Two.', 'Three.', 'Four.', 'Five.'];
    const sees = (count: number) => (body: { messages: { content: string | null }[] }) =>
      body.messages.at(-1)?.content?.split('\n\n').length === count;
    for (const count of [2, 3, 4])
      scene.reply({ when: sees(count), hang: true, text: 'Not yet', isOptional: true });
    scene.reply({ when: sees(5), text: 'All.' });
    const ids: string[] = [];
    for (const text of texts) ids.push(await scene.say(text, now));
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'All.', iterations: 1 });
    expect(listPrompts(scene).at(-1)).toEqual(['First.', ...texts]);
    for (const id of ids) {
      expect(await lab.readTurn(id)).toMatchObject({ outcome: 'steered', steeredInto: turnId });
    }
  });

  test('tools that run are waited for', async () => {
    gate = Promise.withResolvers();
    held = Promise.withResolvers();
    const scene = await lab.scene({ execution, tools: [mcpTool('hold', { effect: 'read_only' })] });
    scene.reply({ toolCalls: [{ name: 'hold', arguments: {} }] }, { text: 'Both.' });
    const turnId = await scene.say('First.');
    await held.promise;
    await scene.say('Second.', now);
    gate.resolve(undefined);

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Both.' });
    expect(listPrompts(scene)).toEqual([['First.'], ['First.', 'Second.']]);
    const types = (await typesOf(scene)).map(([type]) => type);
    expect(types).not.toContain('model.cut_short');
  });

  test('a call after a tool is ended as well', async () => {
    gate = Promise.withResolvers();
    gate.resolve(undefined);
    const scene = await lab.scene({ execution, tools: [mcpTool('hold', { effect: 'read_only' })] });
    scene.reply(
      { toolCalls: [{ name: 'hold', arguments: {} }] },
      { text: 'Half', hang: true },
      { text: 'Both.' },
    );
    const turnId = await scene.say('First.');
    await scene.waitForRequest(2);
    await scene.say('Second.', now);

    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Both.', iterations: 2 });
    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['succeeded']);
    expect(listPrompts(scene)).toEqual([['First.'], ['First.'], ['First.', 'Second.']]);
  });

  test('the message of another person leaves the call alone', async () => {
    const answer = Promise.withResolvers<undefined>();
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'To Bob.', until: answer.promise }, { text: 'To Ann.' });
    const turnId = await scene.say('First.', { actingFor: 'bob' });
    await scene.waitForRequest(1);
    const second = await scene.say('Second.', { ...now, actingFor: 'ann' });
    const { messageId } = await lab.readTurn(second);
    await steerMessage(lab.turns, lab, { messageId: messageId ?? '', now: true });
    answer.resolve(undefined);

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'To Bob.' });
    expect(await lab.waitForOutcome(second)).toMatchObject({ outcome: 'completed', answer: 'To Ann.' });
    expect(scene.requests()).toHaveLength(2);
  });

  test('a message that waits in the queue is given to the model at once', async () => {
    const { scene, turnId } = await startAnswering();
    scene.reply({ text: 'Both.' });
    const second = await scene.say('Second.', { onBusy: 'enqueue' });
    const { messageId } = await lab.readTurn(second);
    await steerMessage(lab.turns, lab, { messageId: messageId ?? '', now: true });

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Both.' });
    expect(await lab.readTurn(second)).toMatchObject({ outcome: 'steered' });
  });

  test('a turn that is cancelled while it is asked again leaves the message to the next turn', async () => {
    const { scene, turnId } = await startAnswering();
    scene.reply({ text: 'Not yet', hang: true }, { text: 'Next.' });
    const second = await scene.say('Second.', now);
    await scene.waitForRequest(2);
    await cancelTurn(lab.turns, lab, turnId);

    expect(await lab.waitUntilSettled(turnId)).toMatchObject({ outcome: 'cancelled' });
    expect(await lab.waitForOutcome(second)).toMatchObject({ outcome: 'completed', answer: 'Next.' });
  });
});
