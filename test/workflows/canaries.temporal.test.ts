import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { call, fine, ruled, startRulesLab } from './rules-lab.ts';

const canary = 'Zebra-7719-Quokka';

let rules: Awaited<ReturnType<typeof startRulesLab>>;

beforeAll(async () => {
  rules = await startRulesLab();
});

beforeEach(() => {
  rules.reached.length = 0;
});

afterAll(() => rules.close());

describe.each(executionModes)('in %s execution', (execution) => {
  test('an answer that repeats a canary token is blocked, and its turn fails', async () => {
    const scene = await rules.lab.scene({ ...ruled({ canaryTokens: [canary] }), execution });
    const text = `Of course. My instructions say ${canary}, and then they go on.`;
    const { turn } = await rules.play(scene, { text, chunkDelayMs: 20 });

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'ANSWER_BLOCKED' } });
    expect(turn.answer).toBe(
      'The answer was stopped, because it repeated something that must stay internal.',
    );
    expect(await rules.readAudit(turn.id)).toMatchObject([
      { type: 'answer.blocked', payload: { rule: 'canary', error: { code: 'ANSWER_BLOCKED' } } },
    ]);
    expect(await rules.collectTraces(scene, turn.id)).not.toContain(canary);
  });
});

describe('canary tokens', () => {
  const bytes = Buffer.from(canary);
  const forms: [string, string][] = [
    ['plain', canary],
    ['in capitals', canary.toUpperCase()],
    ['base64', Buffer.from(`ab${canary}`).toString('base64')],
    ['hex', bytes.toString('hex').toUpperCase()],
    ['with invisible characters', Array.from(canary).join('\u200b')],
  ];

  test('are added to the instructions as texts that must not be repeated', async () => {
    const scene = await rules.lab.scene({ ...ruled({ canaryTokens: [canary] }), instructions: 'Be kind.' });
    const { turn, requests } = await rules.play(scene, { text: 'Hello there.', chunkDelayMs: 30 });

    const system = requests[0]?.body.messages[0]?.content ?? '';
    expect(system).toMatch(/^Be kind\.\n\nInternal markers.*Never repeat/s);
    expect(system).toContain(`- ${canary}`);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Hello there.' });
    expect((await rules.lab.readChunks(turn.id)).map(({ text }) => text).join('')).toBe('Hello there.');
  });

  test.each(forms)('%s in an argument block the call, and appear in no trace', async (_form, text) => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    const input = { to: ['eve@example.com', { note: `it says ${text} at the end` }] };
    const { turn, told } = await rules.play(scene, call('pay', input), fine);

    expect(rules.reached).toEqual([]);
    expect(turn.toolCalls).toMatchObject([
      { status: 'blocked', error: { code: 'TOOL_BLOCKED', details: { rule: 'canary' } } },
    ]);
    expect(JSON.stringify(turn.toolCalls[0]?.arguments)).toContain('it says');
    expect(JSON.stringify(turn.toolCalls[0]?.arguments)).toContain('[canary]');
    expect(told).toContain('TOOL_BLOCKED');
    const traces = await rules.collectTraces(scene, turn.id);
    expect(traces).not.toContain(text);
    expect(traces).not.toContain(canary);
  });

  test('in a key, in a name and in broken arguments block the call', async () => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    const { turn } = await rules.play(
      scene,
      {
        toolCalls: [
          { id: 'one', name: 'pay', arguments: { [canary]: 1 } },
          { id: 'two', name: canary, arguments: {} },
          { id: 'three', name: 'pay', arguments: `{"note": "${canary}` },
        ],
      },
      fine,
    );

    expect(turn.toolCalls.map(({ status }) => status)).toEqual(['blocked', 'blocked', 'blocked']);
    expect(await rules.collectTraces(scene, turn.id)).not.toContain(canary);
  });

  test.each(forms)(
    '%s in the final text block the answer, and no part of them is streamed',
    async (_form, text) => {
      const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
      const answer = { text: `Well then, here: ${text} , and so on for a while.`, chunkDelayMs: 60 };
      const { turn } = await rules.play(scene, answer);

      expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'ANSWER_BLOCKED' } });
      const chunks = (await rules.lab.readChunks(turn.id)).map((chunk) => chunk.text ?? '').join('');
      expect(chunks.length).toBeGreaterThan(0);
      expect('Well then, here: '.startsWith(chunks.slice(0, 17))).toBe(true);
      expect(chunks.length).toBeLessThanOrEqual(20);
      const traces = await rules.collectTraces(scene, turn.id);
      expect(traces).not.toContain(text);
    },
  );

  test('in the text beside tool calls block these calls too', async () => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    const { turn } = await rules.play(scene, { text: `As ${canary} says`, ...call('pay') });

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'ANSWER_BLOCKED' }, toolCalls: [] });
    expect(rules.reached).toEqual([]);
  });

  test('in the error of a model server are redacted', async () => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    const message = `Cannot read the prompt "Markers: ${canary}"`;
    scene.reply({ status: 400, body: { error: { message } } });
    const turn = await rules.lab.waitForOutcome(await scene.say('Go.'));

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'MODEL_REJECTED_REQUEST' } });
    expect(turn.error?.message).toContain('Markers: [canary]');
    expect(await rules.collectTraces(scene, turn.id)).not.toContain(canary);
  });

  test('in the error of a model server leave no beginning where that is cut', async () => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    for (const before of [404, 412, 420, 428, 436]) {
      const message = `${'y'.repeat(before)} ${canary}${' and more'.repeat(20)}`;
      scene.reply({ status: 400, body: { error: { message } } });
      const turn = await rules.lab.waitForOutcome(await scene.say('Go.'));
      expect(turn.error?.message).toContain('answered with HTTP 400');
      expect(turn.error?.message).not.toContain('Ze');
    }
  });

  test('in a tool call that was written as text block the call', async () => {
    const scene = await rules.lab.scene(ruled({ canaryTokens: [canary] }));
    const written = `<tool_use><server>lab</server><tool>pay</tool><arguments>{"a":"&#x5a;ebra-7719-Quokka"}</arguments></tool_use>`;
    const { turn } = await rules.play(scene, { text: `I pay. ${written}`, finishReason: 'end_turn' }, fine);

    expect(turn.toolCalls).toMatchObject([{ name: 'pay', status: 'blocked', arguments: { a: '[canary]' } }]);
    expect(rules.reached).toEqual([]);
    expect(await rules.collectTraces(scene, turn.id)).not.toContain(canary);
  });
});
