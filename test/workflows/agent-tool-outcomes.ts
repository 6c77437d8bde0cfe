import { describe, expect, test } from 'vitest';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { agentTool, ask } from '../labs/child-tools.ts';
import { containing } from '../labs/matchers.ts';
import type { TurnLab } from '../labs/turn-lab.ts';

/** Tests the outcomes of agent tools for which both modes run the same code. */
export function testAgentToolOutcomes(lab: TurnLab, execution: ExecutionMode): void {
  describe.concurrent(`an agent tool in ${execution} execution`, () => {
    test('gives the other agent its arguments as JSON when there is no single message', async () => {
      const helper = await lab.scene({ execution });
      const schema = { type: 'object', properties: { topic: { type: 'string' }, depth: { type: 'number' } } };
      const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id, { schema })] });
      scene.reply(ask('helper', { topic: 'tides', depth: 2 }), { text: 'Thanks.' });
      helper.reply({ text: 'The moon.' });
      await lab.waitForOutcome(await scene.say('Go.'));

      expect(JSON.parse(helper.requests()[0]?.body.messages.at(-1)?.content ?? '')).toEqual({
        topic: 'tides',
        depth: 2,
      });
    });

    test('fails with the outcome of the other turn when that failed', async () => {
      const helper = await lab.scene({ execution });
      const scene = await lab.scene({ execution, tools: [agentTool('helper', helper.agent.id)] });
      scene.reply(ask('helper'), { text: 'It could not.' });
      helper.reply({ status: 400, body: { error: { message: 'No such thing.' } } });
      const turn = await lab.waitForOutcome(await scene.say('Go.'));

      expect(turn).toMatchObject({
        outcome: 'completed',
        toolCalls: [
          {
            status: 'failed',
            error: {
              code: 'TOOL_FAILED',
              details: { turnId: turn.toolCalls[0]?.childTurnId, outcome: 'failed' },
            },
          },
        ],
      });
      const error = turn.toolCalls[0]?.error;
      expect(error?.message).toBe('The turn failed: the model refused the request.');
      expect(error?.details).toMatchObject({ internal: containing('No such thing.') });
    });

    test('that is not on the allowlist starts no turn', async () => {
      const helper = await lab.scene({ execution });
      const scene = await lab.scene({
        execution,
        tools: [agentTool('helper', helper.agent.id)],
        rules: { toolAllowlist: ['other'], toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' },
      });
      scene.reply(ask('helper'), { text: 'I may not.' });
      const turn = await lab.waitForOutcome(await scene.say('Go.'));

      expect(turn.toolCalls).toMatchObject([{ status: 'blocked', childTurnId: null }]);
      expect(helper.requests()).toHaveLength(0);
    });
  });
}
