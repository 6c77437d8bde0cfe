import { acceptedContent, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { address, callEach, seat } from '../../labs/asking-scene.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { askFor, startAskingServer, type AskingServer } from '../../servers/asking-server.ts';
import { textResult } from '../../servers/mcp-servers.ts';

/** The tests of a mode share a lab, and run one after the other beside those of the other mode. */
const inOrder = { concurrent: false };

describe.concurrent.each(executionModes)('a server of 2026-07-28 in an %s turn', (execution) => {
  let lab: TurnLab;
  let server: AskingServer;
  let booked: unknown[] = [];
  let sent = 0;

  beforeAll(async () => {
    server = await startAskingServer({
      book: ({ inputResponses, requestState }) => {
        sent += 1;
        const answer = inputResponse(inputResponses, 'seat');
        if (answer.kind === 'missing') {
          const question = inputRequired.elicit({ message: 'Which seat?', requestedSchema: seat });
          return askFor({ seat: question }, { flight: 'X1' });
        }
        booked.push({ answer, state: requestState() });
        return textResult('Booked.');
      },
      insure: ({ inputResponses }) => {
        const fields = ['name', 'city'].map((key) => acceptedContent(inputResponses, key));
        if (fields.includes(undefined)) {
          const ask = (field: string) =>
            inputRequired.elicit({
              message: `Your ${field}?`,
              requestedSchema: {
                type: 'object',
                properties: { [field]: { type: 'string' } },
                required: [field],
              },
            });
          return askFor({ name: ask('name'), city: ask('city') });
        }
        return textResult(JSON.stringify(fields));
      },
      pay: ({ inputResponses }) => {
        const view = inputResponse(inputResponses, 'consent');
        if (view.kind === 'missing') {
          return askFor({
            consent: inputRequired.elicitUrl({ message: 'Consent, please.', url: address }),
          });
        }
        return textResult(`The answer was ${JSON.stringify(view)}.`);
      },
      later: ({ requestState }) => {
        const count = (requestState<{ count: number }>() ?? { count: 0 }).count;
        return count === 3 ? textResult('Now.') : askFor({}, { count: count + 1 });
      },
      sample: () =>
        askFor({
          model: inputRequired.createMessage({ messages: [], maxTokens: 1 }),
        }),
    });
    lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  test(
    'lets its call wait for an answer, and gets it with its state, also for an unsafe tool',
    inOrder,
    async () => {
      booked = [];
      sent = 0;
      const scene = await lab.scene({ execution, tools: [mcpTool('book')] });
      scene.reply(callEach('book'), { text: 'Booked it.' });
      const turnId = await scene.say('Book.');
      const [action] = await lab.waitForActions(turnId);

      expect(action).toMatchObject({
        ...{ kind: 'question', tool: 'book', question: 'Which seat?', server: 'lab', url: null },
        schema: seat,
      });
      expect((await lab.readTurn(turnId)).toolCalls[0]).toMatchObject({ status: 'requested' });
      await expect(
        lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 0 } }),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'answer.row' }] });
      await lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 7 } });
      const turn = await lab.waitForOutcome(turnId);

      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', result: 'Booked.', attempts: 1 }]);
      expect(booked).toMatchObject([
        { answer: { action: 'accept', content: { row: 7, side: 'aisle' } }, state: { flight: 'X1' } },
      ]);
      expect(sent).toBe(2);
    },
  );

  test('is told that the person declined', inOrder, async () => {
    booked = [];
    const scene = await lab.scene({ execution, tools: [mcpTool('book')] });
    scene.reply(callEach('book'), { text: 'Without a seat.' });
    const turnId = await scene.say('Book.');
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'reject', reason: 'Any will do.' });
    await lab.waitForOutcome(turnId);

    expect(booked).toMatchObject([{ answer: { action: 'decline' } }]);
  });

  test('gets no second request when nobody answers', inOrder, async () => {
    sent = 0;
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('book')],
      limits: { approvalTimeoutMs: 3_000 },
    });
    scene.reply(callEach('book'), { text: 'Not booked.' });
    const turn = await lab.waitForOutcome(await scene.say('Book.'));

    expect(turn.toolCalls).toMatchObject([
      { status: 'failed', error: { code: 'ANSWER_EXPIRED', message: 'Nobody answered within 3 seconds.' } },
    ]);
    expect(sent).toBe(1);
  });

  test('may ask several questions at once, which are answered in any order', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [mcpTool('insure')] });
    scene.reply(callEach('insure'), { text: 'Insured.' });
    const turnId = await scene.say('Insure me.');
    const actions = await lab.waitForActions(turnId, 2);
    const idOf = (wanted: string) => actions.find(({ question }) => question === wanted)?.id ?? '';
    await lab.decide(idOf('Your city?'), { decision: 'answer', answer: { city: 'London' } });
    await lab.decide(idOf('Your name?'), { decision: 'answer', answer: { name: 'Ada' } });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls[0]?.result).toBe('[{"name":"Ada"},{"city":"London"}]');
  });

  test('may send the person to an address', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [mcpTool('pay')] });
    scene.reply(callEach('pay'), { text: 'Paid.' });
    const turnId = await scene.say('Pay.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ url: address, options: ['accept', 'decline', 'cancel'] });
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: 'accept' });
    const turn = await lab.waitForOutcome(turnId);
    expect(turn.toolCalls[0]?.result).toContain('"action":"accept"');
  });

  test('may want nothing but its own state back, or something that nobody can give', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [mcpTool('later'), mcpTool('sample')] });
    scene.reply(callEach('later', 'sample'), { text: 'Done.' });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));

    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', result: 'Now.' }, { status: 'failed' }]);
  });
});
