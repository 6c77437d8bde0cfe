import { describe, expect, test } from 'vitest';
import type { ExecutionMode } from '../../../src/domain/agent.ts';
import { eventually } from '../../labs/eventually.ts';
import type { TurnLab } from '../../labs/turn-lab.ts';

/** Tests the answers of models that both modes read by the same code. */
export function testModelAnswers(lab: TurnLab, execution: ExecutionMode): void {
  describe.concurrent(`a model call in ${execution} execution`, () => {
    test.each(['reset', 'end'] as const)(
      'whose stream stops half-way by %s is made again from the start',
      async (breakBy) => {
        const scene = await lab.scene({ execution });
        const shown = Promise.withResolvers<undefined>();
        const broken = { text: 'I will now explain everything there is.', breakAfterChunks: 4, breakBy };
        scene.reply({ ...broken, breakWhen: shown.promise }, { text: 'Everything is explained.' });
        const turnId = await scene.say('Explain.');
        const readText = async () => (await lab.readChunks(turnId)).map(({ text }) => text).join('');
        await eventually(readText, (text) => text.includes('I will now'));
        shown.resolve(undefined);
        const turn = await lab.waitForOutcome(turnId);

        expect(turn).toMatchObject({
          outcome: 'completed',
          answer: 'Everything is explained.',
          usage: { inputTokens: 10, outputTokens: 5 },
        });
        expect(scene.requests()).toHaveLength(2);
        const chunks = await lab.readChunks(turn.id);
        const reset = chunks.findIndex(({ text }) => text === null);
        expect(
          chunks
            .slice(0, reset)
            .map(({ text }) => text)
            .join(''),
        ).toContain('I will now');
        expect(
          chunks
            .slice(reset + 1)
            .map(({ text }) => text)
            .join(''),
        ).not.toContain('I will now');
      },
    );

    test('that ends without a word still leaves an answer', async () => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: '' });
      const turn = await lab.waitForOutcome(await scene.say('Hm?'));

      expect(turn).toMatchObject({
        outcome: 'completed',
        answer: 'The model ended the turn without an answer.',
      });
    });
  });
}
