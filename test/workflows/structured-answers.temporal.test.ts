import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudget } from '../../src/modules/credits/budgets/change-budgets.ts';
import { setPrices } from '../../src/modules/credits/workspace-prices.ts';
import { executionModes } from '../../src/domain/agent.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { eventually } from '../labs/eventually.ts';
import { calculate } from '../labs/lab-tools.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { LabScene } from '../labs/turn-lab-scene.ts';
import { ruled } from './rules-lab.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
} satisfies JsonObject;

const kiel = { city: 'Kiel', degrees: 12.5 };
const right = { text: JSON.stringify(kiel) };
const wrong = { text: '{"city": "Kiel"}' };
const calls = { toolCalls: [{ name: 'calculate', arguments: { expression: '6 + 6.5' } }] };

const invalid = {
  code: 'ANSWER_INVALID',
  message: 'The answer does not satisfy the response schema of the turn: degrees is required.',
  details: { errors: [{ field: 'degrees', message: 'is required' }] },
};

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

/** The roles and texts of a request to a scene's model, without its instructions. */
function promptOf(scene: LabScene, request: number): string[] {
  const [, ...messages] = scene.requests()[request - 1]?.body.messages ?? [];
  return messages.map(({ role, content }) => `${role}: ${content ?? ''}`);
}

async function ask(scene: LabScene, message = 'How warm is it?', responseSchema = schema) {
  return lab.waitForOutcome(await scene.say(message, { responseSchema }));
}

describe.each(executionModes)('in %s execution', (execution) => {
  test('a server that takes schemas is sent that of the turn, and its answer is an object', async () => {
    const scene = await lab.scene({ execution, modelSettings: { structuredOutput: 'native' } });
    scene.reply(right);
    const turn = await ask(scene);

    expect(turn).toMatchObject({ outcome: 'completed', answer: right.text, answerJson: kiel, iterations: 1 });
    expect(Object.keys(turn.responseSchema ?? {})).toEqual(Object.keys(schema));
    expect(scene.requests()[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema, strict: true },
    });
    expect(promptOf(scene, 1)).toEqual(['user: How warm is it?']);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.at(-1)).toMatchObject({ type: 'turn.settled', payload: { answerJson: kiel } });
  });

  test('the text of the object is streamed while the model writes it', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ ...right, hang: true });
    const turnId = await scene.say('How warm is it?', { responseSchema: schema });
    const readText = async () => (await lab.readChunks(turnId)).map(({ text }) => text).join('');
    expect(await eventually(readText, (text) => text !== '')).toBe(right.text);
    await lab.cancelTurn(turnId);
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled', answerJson: null });
  });

  test('another model is asked behind the message, and may write around the object', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(calls, { text: `Here it is:\n\n\`\`\`json\n${right.text}\n\`\`\`\nAnything else?` });
    const turn = await ask(scene);

    expect(turn).toMatchObject({ outcome: 'completed', answerJson: kiel, iterations: 2 });
    const asked = expect.stringMatching(
      /^user: How warm is it\?\n\nYour final answer .*\n\{"type":"object"/,
    ) as string;
    expect(promptOf(scene, 1)).toEqual([asked]);
    expect(promptOf(scene, 2)).toEqual([...promptOf(scene, 1), 'assistant: ', 'tool: 12.5']);
    expect(scene.requests()[0]?.body).not.toHaveProperty('response_format');
    expect(scene.requests()[0]?.body.messages[0]?.content).toBe('Help the user.');
  });

  test('a model whose answer does not satisfy the schema is told why and asked once more', async () => {
    const scene = await lab.scene({ execution });
    scene.reply(wrong, right, { text: 'You are welcome.' });
    const turn = await ask(scene);

    expect(turn).toMatchObject({ outcome: 'completed', answerJson: kiel, iterations: 2, error: null });
    const [, answer, note] = promptOf(scene, 2);
    expect([answer, note]).toEqual([
      `assistant: ${wrong.text}`,
      expect.stringMatching(/^user: Your answer does not satisfy.*\n- degrees is required\nAnswer again/s),
    ]);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.map(({ type }) => type)).toEqual([
      ...['turn.started', 'message.created', 'answer.rejected', 'message.created', 'turn.settled'],
    ]);
    expect(events[2]?.payload).toMatchObject({ iteration: 1, errors: invalid.details.errors });

    const next = await lab.waitForOutcome(await scene.say('Thanks.'));
    expect(next).toMatchObject({ outcome: 'completed', answerJson: null, responseSchema: null });
    expect(promptOf(scene, 3)).toEqual([
      ...['user: How warm is it?', `assistant: ${wrong.text}`],
      expect.stringMatching(/^user: Your answer does not satisfy.*nothing else\.$/s),
      ...[`assistant: ${right.text}`, 'user: Thanks.'],
    ]);
  });

  test('the turn fails with what was said when the second answer is wrong as well', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(wrong, calls, { text: '{"city": "Kiel", "rain": 1}' });
    const turn = await ask(scene);

    expect(turn).toMatchObject({
      ...{ outcome: 'failed', iterations: 3, answer: '{"city": "Kiel", "rain": 1}', answerJson: null },
      error: { code: 'ANSWER_INVALID' },
    });
    const events = await lab.readEvents(scene.conversationId);
    expect(events.at(-1)).toMatchObject({ type: 'turn.settled', payload: { error: turn.error } });
    expect(events.filter(({ type }) => type === 'answer.rejected')).toHaveLength(1);
  });

  test('after the last round of tools an answer is repaired without tools, and keeps its outcome', async () => {
    const limits = { maxIterations: 1 };
    const early = await lab.scene({ execution, tools: [calculate], limits });
    early.reply(wrong, right);
    const late = await lab.scene({ execution, tools: [calculate], limits });
    late.reply(calls, wrong, right);
    const turns = await Promise.all([ask(early), ask(late)]);

    expect(turns).toMatchObject([
      { outcome: 'completed', answerJson: kiel, iterations: 2 },
      { outcome: 'iteration_limit', answerJson: kiel, iterations: 3 },
    ]);
    expect(early.requests()[1]?.body).not.toHaveProperty('tools');
  });

  test('nothing is repaired without tokens, after a refusal, or when the answer is blocked', async () => {
    const tokens = await lab.scene({ execution, limits: { maxTokens: 1_000 } });
    tokens.reply({ ...wrong, usage: { inputTokens: 900, outputTokens: 100 } });
    const refusal = await lab.scene({ execution });
    refusal.reply({ text: 'I cannot help with that.', finishReason: 'content_filter' });
    const blocked = await lab.scene({ execution, ...ruled({ canaryTokens: ['Zebra-7719-Quokka'] }) });
    blocked.reply({ text: JSON.stringify({ ...kiel, city: 'Zebra-7719-Quokka' }) });
    const turns = await Promise.all([ask(tokens), ask(refusal), ask(blocked)]);

    expect(turns).toMatchObject([
      { outcome: 'failed', error: invalid, answer: wrong.text },
      { outcome: 'failed', error: { code: 'ANSWER_INVALID' }, answer: 'I cannot help with that.' },
      { outcome: 'failed', error: { code: 'ANSWER_BLOCKED' }, answerJson: null },
    ]);
  });

  test('a message that steers sets the schema of the turn when it has one', async () => {
    const answer = Promise.withResolvers<undefined>();
    const scene = await lab.scene({ execution });
    scene.reply(
      { text: 'It is warm.', until: answer.promise },
      { text: 'Very.', until: answer.promise },
      right,
    );
    const turnId = await scene.say('How is it?');
    await scene.waitForRequest(1);
    const second = await scene.say('As data.', { onBusy: 'steer', responseSchema: schema });
    await scene.say('Please.', { onBusy: 'steer' });
    answer.resolve(undefined);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answerJson: kiel, iterations: 3 });
    expect(promptOf(scene, 2)).toEqual([
      ...['user: How is it?', 'assistant: It is warm.'],
      expect.stringMatching(/^user: As data\.\n\nPlease\.\n\nYour final answer/),
    ]);
    expect(await lab.waitUntilSettled(second)).toMatchObject({ outcome: 'steered', steeredInto: turnId });
  });
});

test('a budget that does not allow the repair ends the turn as any other call would', async () => {
  const scene = await lab.scene();
  scene.reply(wrong);
  await setPrices(lab, lab, { [scene.agent.model]: { input: 0, output: 0, perCall: 0.001 } });
  await createBudget(lab, lab, { scope: 'agent', subject: scene.agent.id, period: 'day', credits: 1_500n });
  const turn = await ask(scene);

  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'BUDGET_EXCEEDED' }, iterations: 1 });
});
