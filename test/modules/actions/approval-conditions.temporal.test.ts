import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { callPay as pay, payTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

const above = (limit: number) => ({ properties: { amount: { exclusiveMinimum: limit } } });

/** The tests of a mode share a lab, and run one after the other beside those of the other mode. */
const inOrder = { concurrent: false };

describe.concurrent.each(executionModes)('in a turn in %s execution', (execution) => {
  let lab: TurnLab;
  let server: ScriptedServer;
  const paid: unknown[] = [];

  beforeAll(async () => {
    server = await startScriptedServer({
      pay: ({ arguments: input }) => {
        paid.push(input);
        return textResult('paid');
      },
    });
    lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  test('small calls run, and a large one asks with its reason', inOrder, async () => {
    paid.length = 0;
    const settings = { approval: 'never' as const, approvalWhen: above(50) };
    const scene = await lab.scene({ execution, tools: [{ ...payTool(), settings }] });
    scene.reply(pay(50), pay(51), { text: 'Paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ arguments: { amount: 51 }, askedBecause: ['amount > 50'] });
    expect(paid).toEqual([{ amount: 50 }]);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
    expect(paid).toEqual([{ amount: 50 }, { amount: 51 }]);
    const asked = (await lab.readEvents(scene.conversationId)).find(
      ({ type }) => type === 'action.requested',
    );
    expect(asked?.payload).toMatchObject({ askedBecause: ['amount > 50'] });
  });

  test('the condition of a policy asks besides that of the tool', inOrder, async () => {
    const rules = {
      ...{ toolPolicies: { pay: { approvalWhen: above(10) } }, canaryTokens: [] },
      onBlocked: 'continue' as const,
    };
    const settings = { approval: 'never' as const, approvalWhen: above(50) };
    const scene = await lab.scene({ execution, tools: [{ ...payTool(), settings }], rules });
    scene.reply(pay(20), { text: 'Not paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);

    expect(action?.askedBecause).toEqual(['amount > 10']);
    await lab.decide(action?.id ?? '', { decision: 'reject' });
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
  });

  test('a tool that asks by itself asks whatever the condition says', inOrder, async () => {
    const settings = { approval: 'always_ask' as const, approvalWhen: above(50) };
    const scene = await lab.scene({ execution, tools: [{ ...payTool(), settings }] });
    scene.reply(pay(1), { text: 'Not paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ askedBecause: [], canRemember: false });
    await lab.decide(action?.id ?? '', { decision: 'reject' });
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
  });
});
