import { describe, expect, test } from 'vitest';
import { executionModes } from '../../../../src/domain/agent.ts';
import type { TurnModelCall } from '../../../../src/domain/model-call.ts';
import { listModelCalls } from '../../../../src/modules/turns/calls/list-model-calls.ts';
import { agentTool, ask } from '../../../labs/child-tools.ts';
import { calculate } from '../../../labs/lab-tools.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { shareTurnLab } from '../../../labs/turn-lab.ts';
import type { ScriptEntry } from '../../../servers/scripted-model.ts';

const lab = openForTests(() => shareTurnLab());

const calls = (turnId: string) => listModelCalls(lab, lab, turnId);

const overloaded: ScriptEntry = { status: 503, body: { error: { message: 'Overloaded.' } } };
const add: ScriptEntry = { toolCalls: [{ name: 'calculate', arguments: { expression: '1+1' } }] };

/** A call began before its answer was stored, and took no negative time. The clocks of the worker and of Postgres are one. */
function expectTimes({ startedAt, durationMs, storedAt }: TurnModelCall): void {
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(Date.parse(startedAt ?? '')).toBeLessThanOrEqual(Date.parse(storedAt ?? ''));
}

describe.each(executionModes)('model calls of a turn in the mode %s', (execution) => {
  test('have their times, usage and failed attempts by iteration', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(add, overloaded, { text: 'Two.' });
    const turnId = await scene.say('How much?');
    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'completed', iterations: 2 });
    const [first, second, ...more] = await calls(turnId);
    expect(more).toEqual([]);
    const { model } = scene.agent;
    expect([first, second]).toMatchObject([
      { iteration: 1, status: 'answered', askedModel: model, model, finishReason: 'tool_calls' },
      { iteration: 2, status: 'answered', askedModel: model, model, finishReason: 'stop' },
    ]);
    expect(first?.failedAttempts).toEqual([]);
    expect(second?.failedAttempts).toMatchObject([{ attempt: 1, error: { code: 'MODEL_UNAVAILABLE' } }]);
    for (const call of [first, second]) expectTimes(call as TurnModelCall);
    const tokens = [first, second].reduce((sum, call) => sum + (call?.usage?.inputTokens ?? 0), 0);
    expect(tokens).toBe(turn.usage.inputTokens);
  });

  test('name the models that were passed over', async () => {
    const scene = await lab.scene({ execution, fallbacks: 1 });
    scene.reply(overloaded);
    scene.replyAs(1, { text: 'It is me.' });
    const turnId = await scene.say('Hello?');
    await lab.waitForOutcome(turnId);
    const { model } = scene.agent;
    expect(await calls(turnId)).toMatchObject([
      {
        ...{ iteration: 1, askedModel: model, model: `${model}-1`, failedAttempts: [] },
        passed: [{ model, next: `${model}-1`, error: { code: 'MODEL_UNAVAILABLE' } }],
      },
    ]);
  });

  test('of a turn whose agent calls another are those of each turn alone', async () => {
    const helper = await lab.scene({ execution });
    helper.reply({ text: 'Helped.' });
    const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
    scene.reply(ask('helper'), { text: 'Done.' });
    const turnId = await scene.say('Go.');
    const { toolCalls } = await lab.waitForOutcome(turnId);
    const below = await calls(toolCalls[0]?.childTurnId ?? '');
    expect(below).toMatchObject([{ iteration: 1, model: helper.agent.model, status: 'answered' }]);
    expect((await calls(turnId)).map(({ model }) => model)).toEqual([scene.agent.model, scene.agent.model]);
  });
});

test('a turn whose model never answered has the attempts that were made again', async () => {
  const scene = await lab.scene();
  scene.reply(overloaded, { status: 400, body: { error: { message: 'The context is too long.' } } });
  const turnId = await scene.say('Hello?');
  expect(await lab.waitForOutcome(turnId)).toMatchObject({
    ...{ outcome: 'failed', error: { code: 'MODEL_REJECTED_REQUEST' } },
  });
  expect(await calls(turnId)).toMatchObject([
    {
      ...{ iteration: 1, status: 'unanswered', model: null, askedModel: scene.agent.model },
      failedAttempts: [{ attempt: 1, error: { code: 'MODEL_UNAVAILABLE' } }],
    },
  ]);
});
