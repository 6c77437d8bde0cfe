import { describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { shareTurnLab } from '../../labs/turn-lab.ts';
import { testModelAnswers } from './model-answers.ts';

const lab = openForTests(shareTurnLab);

describe.concurrent.each(executionModes)('a model call in %s execution', (execution) => {
  test('that is turned away with Retry-After is not tried again before that time', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ status: 429, headers: { 'retry-after': '3' } }, { text: 'Now I have time.' });
    const turn = await lab.waitForOutcome(await scene.say('Are you there?'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Now I have time.', iterations: 1 });
    const [first = 0, second = 0] = scene.requestTimes;
    expect(scene.requestTimes).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(3_000);
  });

  test('that meets a broken server is tried again', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ status: 500 }, { status: 503 }, { text: 'Back again.' });
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Back again.', error: null });
    expect(scene.requests()).toHaveLength(3);
    expect(turn.failedAttempts).toMatchObject([
      { iteration: 1, index: null, attempt: 1, error: { code: 'MODEL_UNAVAILABLE' } },
      { iteration: 1, index: null, attempt: 2, error: { code: 'MODEL_UNAVAILABLE' } },
    ]);
    expect(turn.failedAttempts[1]?.error.message).toContain('503');
  });

  test('with a key that is not accepted fails at once and says so', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ status: 401, body: { error: { message: 'No such key.' } } });
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_AUTHENTICATION' } });
    expect(turn.answer).toBe('The turn failed: the model does not accept the credentials of this agent.');
    expect(turn.error?.message).toContain('No such key.');
    expect(scene.requests()).toHaveLength(1);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.at(-1)).toMatchObject({
      type: 'turn.settled',
      payload: { outcome: 'failed', answer: turn.answer, error: { code: 'MODEL_AUTHENTICATION' } },
    });
  });

  test('that is answered with malformed JSON is tried again, and what was streamed is void', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ malformed: true }, { text: 'In good order.' });
    const turn = await lab.waitForOutcome(await scene.say('Say something.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'In good order.' });
    expect(scene.requests()).toHaveLength(2);
    const chunks = await lab.readChunks(turn.id);
    expect(chunks.some(({ text }) => text === null)).toBe(true);
  });

  test('that is told to wait longer than the turn has time ends the turn', async () => {
    const scene = await lab.scene({ execution, limits: { turnTimeoutMs: 60_000 } });
    scene.reply({ status: 429, headers: { 'retry-after': '3600' } });
    const turn = await lab.waitForOutcome(await scene.say('Hurry.'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_RATE_LIMITED' } });
    expect(scene.requests()).toHaveLength(1);
  });

  test('that fails every time ends the turn with the last reason', async () => {
    const scene = await lab.scene({ execution });
    scene.reply(...Array.from({ length: 5 }, () => ({ status: 503, headers: { 'retry-after': '0' } })));
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    expect(scene.requests()).toHaveLength(5);
  });

  test('carries the same key in every attempt and another one in the next iteration', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(
      { status: 500 },
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1' } }] },
      { text: 'One.' },
    );
    await lab.waitForOutcome(await scene.say('One?'));

    const keys = scene.requests().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('that takes longer than its limit is cut off and made again', async () => {
    const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 1_000 } });
    scene.reply({ text: 'Let me think about ', hang: true }, { text: 'Thought of it.' });
    const turn = await lab.waitForOutcome(await scene.say('Think.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Thought of it.' });
    const [first] = scene.requests();
    await first?.closed;
    expect(first?.aborted).toBe(true);
  });
});

testModelAnswers(lab, 'direct');

test.concurrent(
  'a model that asks for tools in its last call, which offers none, is not given them',
  async () => {
    const scene = await lab.scene({ tools: [calculate], limits: { maxIterations: 1 } });
    const asking = { toolCalls: [{ name: 'calculate', arguments: { expression: '2' } }] };
    scene.reply(asking, { text: 'I want more.', ...asking });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn).toMatchObject({ outcome: 'iteration_limit', answer: 'I want more.', iterations: 2 });
    expect(turn.toolCalls).toHaveLength(1);
  },
);

// One after the other: each counts the time between two pieces of an answer.
describe.each(executionModes)('the time of a model call in %s execution', (execution) => {
  test('counts from the last piece of its answer', async () => {
    const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 2_000 } });
    scene.reply({ text: 'This is a slow but steady answer.', chunkDelayMs: 600 });
    const turn = await lab.waitForOutcome(await scene.say('Slowly.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'This is a slow but steady answer.' });
    expect(scene.requests()).toHaveLength(1);
  });

  test('ends with limits.modelTimeoutMs, however steadily it streams', async () => {
    const scene = await lab.scene({ execution, limits: { modelTimeoutMs: 1_500 } });
    const steady = { text: 'This is a slow but steady answer.', chunkDelayMs: 600 };
    scene.reply(steady, steady);
    const turn = await lab.waitForOutcome(await scene.say('Slowly.'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    expect(turn.error?.message).toContain('limits.modelTimeoutMs');
    expect(scene.requests()).toHaveLength(2);
  });

  test('that passes in silence after another failure gives it one more attempt', async () => {
    const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 1_500 } });
    const hanging = { text: 'Let me think about ', hang: true };
    scene.reply({ status: 500 }, hanging, { text: 'Thought of it.' });
    const turn = await lab.waitForOutcome(await scene.say('Think.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Thought of it.' });
    expect(scene.requests()).toHaveLength(3);
  });

  test('that passes in silence twice ends the turn and names the setting', async () => {
    const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 1_500 } });
    const hanging = { text: 'Let me think about ', hang: true };
    scene.reply(hanging, hanging);
    const turn = await lab.waitForOutcome(await scene.say('Think.'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    expect(turn.error?.message).toContain('The model sent nothing for 1500 ms.');
    expect(turn.error?.message).toContain('limits.activityTimeoutMs');
    expect(scene.requests()).toHaveLength(2);
  });
});
