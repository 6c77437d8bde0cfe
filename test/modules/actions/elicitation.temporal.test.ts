import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import type { ToolSettings } from '../../../src/domain/tool.ts';
import { address, callEach, seat, waitForQuestions } from '../../labs/asking-scene.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

/** The tests of a mode share a lab, and run one after the other beside those of the other mode. */
const inOrder = { concurrent: false };

describe.concurrent.each(executionModes)('a server of 2025-11-25 in an %s turn', (execution) => {
  let lab: TurnLab;
  let server: ScriptedServer;
  let sent = 0;

  beforeAll(async () => {
    server = await startScriptedServer({
      book: async ({ elicit }) => {
        sent += 1;
        const answer = await elicit({ message: 'Which seat?', requestedSchema: seat });
        return textResult(JSON.stringify(answer));
      },
      aside: async ({ elicitAside }) => {
        const answer = await elicitAside({ message: 'Which seat?', requestedSchema: seat });
        return textResult(JSON.stringify(answer));
      },
      twice: async ({ elicit }) => {
        const rows: unknown[] = [];
        for (const time of ['out', 'back']) {
          const { content } = await elicit({ message: `Which seat ${time}?`, requestedSchema: seat });
          rows.push(content?.['row']);
        }
        return textResult(rows.join(' and '));
      },
      pay: () => {
        sent += 1;
        if (sent === 2) return textResult('Paid.');
        throw new UrlElicitationRequiredError([
          { mode: 'url', message: 'Consent, please.', url: address, elicitationId: 'consent-7' },
        ]);
      },
    });
    lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  test.each(['book', 'aside'])(
    'gets an answer in place while its call is open: %s',
    inOrder,
    async (name) => {
      const scene = await lab.scene({ execution, tools: [mcpTool(name)] });
      scene.reply(callEach(name), { text: 'Booked it.' });
      const turnId = await scene.say('Book.');
      const [action] = await waitForQuestions(lab, turnId);

      expect(action).toMatchObject({
        kind: 'question',
        question: 'Which seat?',
        server: 'lab',
        schema: seat,
      });
      expect((await lab.readTurn(turnId)).status).toBe('running');
      await lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 7, side: 'window' } });
      const turn = await lab.waitForOutcome(turnId);

      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
      expect(JSON.parse(turn.toolCalls[0]?.result ?? '')).toEqual({
        action: 'accept',
        content: { row: 7, side: 'window' },
      });
    },
  );

  test('is told that nobody answers an unsafe tool in time, and its result stands', inOrder, async () => {
    sent = 0;
    const scene = await lab.scene({ execution, tools: [mcpTool('book', { timeoutMs: 3_000 })] });
    scene.reply(callEach('book'), { text: 'Not booked.' });
    const turnId = await scene.say('Book.');
    const [action] = await waitForQuestions(lab, turnId);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(turn.toolCalls[0]?.result).toContain('Nobody answered within 2 seconds');
    expect(turn.toolCalls[0]?.result).toContain('{"action":"cancel"}');
    expect(sent).toBe(1);
    await expect(
      lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 7 } }),
    ).rejects.toMatchObject({ code: 'ACTION_DECIDED', details: { status: 'expired' } });
  });

  const repeatable: ToolSettings = { effect: 'idempotent', timeoutMs: 2_000 };

  test('is called again with the answer when its tool may be repeated', inOrder, async () => {
    sent = 0;
    const scene = await lab.scene({ execution, tools: [mcpTool('book', repeatable)] });
    scene.reply(callEach('book'), { text: 'Booked it.' });
    const turnId = await scene.say('Book.');
    const [action] = await lab.waitForActions(turnId);
    expect(sent).toBe(1);
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 7 } });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    expect(JSON.parse(turn.toolCalls[0]?.result ?? '')).toMatchObject({ content: { row: 7 } });
    expect(sent).toBe(2);
  });

  test('asks its next question after the answers to those before were given once more', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [mcpTool('twice', repeatable)] });
    scene.reply(callEach('twice'), { text: 'Booked both.' });
    const turnId = await scene.say('Book.');
    const [first] = await lab.waitForActions(turnId);
    await lab.decide(first?.id ?? '', { decision: 'answer', answer: { row: 1 } });
    const [second] = await eventually(
      () => lab.readTurn(turnId).then(({ pendingActions }) => pendingActions),
      ([action]) => action?.question === 'Which seat back?',
    );
    await lab.decide(second?.id ?? '', { decision: 'answer', answer: { row: 2 } });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls[0]?.result).toBe('1 and 2');
  });

  test('is called again after the person was at the address that it named', inOrder, async () => {
    sent = 0;
    const scene = await lab.scene({ execution, tools: [mcpTool('pay')] });
    scene.reply(callEach('pay'), { text: 'Paid it.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ question: 'Consent, please.', url: address, server: 'lab' });
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: 'accept' });
    const turn = await lab.waitForOutcome(turnId);
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', result: 'Paid.' }]);
  });

  test('is not called again when the person declines to go to its address', inOrder, async () => {
    sent = 0;
    const scene = await lab.scene({ execution, tools: [mcpTool('pay')] });
    scene.reply(callEach('pay'), { text: 'Not paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: 'cancel' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'ANSWER_DECLINED' } }]);
    expect(sent).toBe(1);
  });

  test('is answered nothing after its turn was cancelled', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [mcpTool('book')] });
    scene.reply(callEach('book'));
    const turnId = await scene.say('Book.');
    const [action] = await waitForQuestions(lab, turnId);
    await lab.cancelTurn(turnId);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'cancelled', pendingActions: [] });
    expect(turn.toolCalls).toMatchObject([{ status: 'unknown' }]);
    await expect(
      lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 7 } }),
    ).rejects.toMatchObject({ code: 'ACTION_DECIDED' });
  });
});
