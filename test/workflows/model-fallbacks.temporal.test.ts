import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { getModelAnalytics } from '../../src/modules/credits/usage/get-model-analytics.ts';
import type { ConversationEvent } from '../../src/domain/event.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import type { ScriptEntry } from '../servers/scripted-model.ts';

const lab = openForTests(() => shareTurnLab());

async function settle(scene: LabScene) {
  const turnId = await scene.say('Hello?');
  const turn = await lab.waitForOutcome(turnId);
  const events = await lab.readEvents(scene.conversationId);
  return { turnId, turn, events };
}

function listPassed(events: ConversationEvent[]) {
  return events.flatMap((event) => (event.type === 'model.passed' ? [event.payload] : []));
}

async function countModelCalls(turnId: string): Promise<string[]> {
  return lab.database.inWorkspace(lab.workspaceId, (trx) =>
    trx('usage').where({ turn_id: turnId }).orderBy('iteration').pluck<string[]>('model'),
  );
}

const absences: [string, ScriptEntry, string][] = [
  ['is overloaded', { status: 503, body: { error: { message: 'Overloaded.' } } }, 'MODEL_UNAVAILABLE'],
  [
    'has reached its limit',
    { status: 429, body: { error: { message: 'Slow down.' } } },
    'MODEL_RATE_LIMITED',
  ],
  ['refuses the key', { status: 401, body: { error: { message: 'Wrong key.' } } }, 'MODEL_AUTHENTICATION'],
  ['is unknown', { status: 404, body: { error: { message: 'No such model.' } } }, 'UNKNOWN_MODEL'],
  ['sends nothing', { text: 'Never.', hang: true, breakAfterChunks: 0 }, 'MODEL_UNAVAILABLE'],
  ['breaks before its first word', { text: 'Never.', breakAfterChunks: 0 }, 'MODEL_BAD_RESPONSE'],
];

describe.each(executionModes)('in the mode %s', (execution) => {
  test.concurrent.each(absences)('the next model answers when one %s', async (_, entry, code) => {
    const scene = await lab.scene({ execution, fallbacks: 2, limits: { activityTimeoutMs: 2_000 } });
    scene.reply(entry);
    scene.replyAs(1, { text: 'It is me.' });
    const { turnId, turn, events } = await settle(scene);
    expect(turn).toMatchObject({ status: 'completed', answer: 'It is me.' });
    const { model } = scene.agent;
    expect(listPassed(events)).toMatchObject([{ iteration: 1, model, next: `${model}-1`, error: { code } }]);
    expect(await countModelCalls(turnId)).toEqual([`${model}-1`]);
    const texts = events.flatMap((event) => (event.type === 'message.created' ? [event.payload.text] : []));
    expect(texts).toEqual(['It is me.']);
    const times = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const asked = { ...times, groupBy: ['model' as const], agentId: scene.agent.id, limit: 10 };
    expect((await getModelAnalytics(lab, lab, asked)).models).toMatchObject([
      { model: `${model}-1`, calls: 1, fallbackCalls: 1, passedOver: 0 },
      { model, calls: 0, fallbackCalls: 0, passedOver: 1 },
    ]);
  });

  test('a request that the model refuses is not sent to another one', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    scene.reply({ status: 400, body: { error: { message: 'The context is too long.' } } });
    const { turn, events } = await settle(scene);
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'MODEL_REJECTED_REQUEST' } });
    expect(listPassed(events)).toEqual([]);
  });

  test('an answer that has begun is not continued by another model', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    scene.reply({ text: 'One two three.', breakAfterChunks: 2 }, { text: 'One two three four.' });
    const { turn, events } = await settle(scene);
    expect(turn).toMatchObject({ status: 'completed', answer: 'One two three four.' });
    expect(listPassed(events)).toEqual([]);
  });

  test('an answer that stops in the middle is given anew by another model', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1, limits: { activityTimeoutMs: 2_000 } });
    scene.reply({ text: 'One two three.', hang: true, breakAfterChunks: 2 });
    scene.replyAs(1, { text: 'Four five six.' });
    const { turn, events } = await settle(scene);
    expect(turn).toMatchObject({ status: 'completed', answer: 'Four five six.' });
    const { model } = scene.agent;
    const error = { message: 'The model took too long in the attempt before.' };
    expect(listPassed(events)).toMatchObject([{ model, next: `${model}-1`, error }]);
  });

  test('a content refusal is an answer', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    scene.reply({ text: 'I cannot say.', finishReason: 'content_filter' });
    const { turn } = await settle(scene);
    expect(turn).toMatchObject({ status: 'completed', answer: 'I cannot say.' });
  });

  test('when no model answers, the step is tried again as a whole', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    const away: ScriptEntry = { status: 500, body: { error: { message: 'Broken.' } } };
    scene.reply(away, { text: 'Back again.' });
    scene.replyAs(1, { status: 401, body: { error: { message: 'Wrong key.' } } });
    const { turn, events } = await settle(scene);
    expect(turn).toMatchObject({ status: 'completed', answer: 'Back again.' });
    expect(listPassed(events)).toEqual([]);
    expect(turn.failedAttempts).toMatchObject([{ attempt: 1, error: { code: 'MODEL_UNAVAILABLE' } }]);
    const { model } = scene.agent;
    const told = new RegExp(`^No model answered\\. ${model}: .*Broken.* ${model}-1: .*Wrong key`);
    expect(turn.failedAttempts[0]?.error.message).toMatch(told);
  });

  test('a turn that no model answered says what was wrong with each', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    scene.reply({ status: 401, body: { error: { message: 'Wrong key.' } } });
    scene.replyAs(1, { status: 404, body: { error: { message: 'No such model.' } } });
    const { turn } = await settle(scene);
    const { model } = scene.agent;
    expect(turn).toMatchObject({
      status: 'failed',
      error: {
        code: 'UNKNOWN_MODEL',
        details: {
          models: [
            { model, code: 'MODEL_AUTHENTICATION' },
            { model: `${model}-1`, code: 'UNKNOWN_MODEL' },
          ],
        },
      },
    });
  });
});

test('a model whose circuit is open is passed over without a request', async () => {
  const scene = await lab.scene({ fallbacks: 1 });
  // A worker goes by states that are up to two seconds old.
  await setTimeout(2_100);
  await lab.database.system('model_states').insert({
    ...{
      model: scene.agent.model,
      holder: `operator/${lab.workspaceId}`,
      failures: 5,
      openings: 1,
      error_code: 'MODEL_UNAVAILABLE',
    },
    open_until: lab.database.system.raw("now() + interval '5 minutes'"),
    failed_at: lab.database.system.fn.now(),
  });
  scene.replyAs(1, { text: 'Me instead.' });
  const { turn, events } = await settle(scene);
  expect(turn.answer).toBe('Me instead.');
  expect(listPassed(events)).toMatchObject([{ error: { code: 'MODEL_UNAVAILABLE' } }]);
  expect(scene.requests()).toEqual([]);
});

test('a tool is asked for by the first model call of a turn only, and every call has the settings', async () => {
  const scene = await lab.scene({
    modelSettings: { toolChoice: 'required', topP: 0.5 },
    tools: [
      {
        type: 'function',
        name: 'add',
        description: 'Adds.',
        schema: { type: 'object' },
        config: { functionName: 'current_time' },
      },
    ],
  });
  scene.reply({ toolCalls: [{ name: 'add', arguments: {} }] }, { text: 'Noon.' });
  const { turn } = await settle(scene);
  expect(turn).toMatchObject({ status: 'completed', answer: 'Noon.' });
  const bodies = scene.requests().map(({ body }) => body as unknown as Record<string, unknown>);
  expect(bodies.map((body) => [body['tool_choice'], body['top_p']])).toEqual([
    ['required', 0.5],
    ['auto', 0.5],
  ]);
});
