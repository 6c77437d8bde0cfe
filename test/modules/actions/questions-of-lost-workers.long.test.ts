import { acceptedContent, inputRequired } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { callEach, seat, waitForQuestions } from '../../labs/asking-scene.ts';
import { askUser, calculate, clientTool, mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { askFor, startAskingServer } from '../../servers/asking-server.ts';
import { startScriptedServer, textResult } from '../../servers/mcp-servers.ts';
import type { AnswerEntry, ChatRequestBody } from '../../servers/scripted-model.ts';

test('the questions of servers outlive every worker', async () => {
  const rows: unknown[] = [];
  const stateless = await startAskingServer({
    book: ({ inputResponses }) => {
      const content = acceptedContent(inputResponses, 'seat');
      if (!content)
        return askFor({ seat: inputRequired.elicit({ message: 'Which seat?', requestedSchema: seat }) });
      rows.push(content['row']);
      return textResult('Booked.');
    },
  });
  const stateful = await startScriptedServer({
    find: async ({ elicit }) => {
      const { action, content } = await elicit({ message: 'Which row?', requestedSchema: seat });
      if (action === 'accept') rows.push(content?.['row']);
      return textResult(action);
    },
  });
  const lab = await startTurnLab({
    worker: false,
    mcpServers: { lab: { url: stateless.url }, old: { url: stateful.url } },
  });
  onTestFinished(async () => {
    await lab.close();
    await stateless.close();
    await stateful.close();
  });
  const before = await lab.startWorkerProcess();
  const find: ToolInput = {
    ...mcpTool('find', { effect: 'read_only', timeoutMs: 20_000 }),
    type: 'mcp',
    config: { server: 'old' },
  };
  const scene = await lab.scene({ tools: [mcpTool('book'), find] });
  scene.reply(callEach('book', 'find'), { text: 'Done.' });
  const turnId = await scene.say('Go.');
  // The one of the open call is held by the worker that is lost.
  const actions = await waitForQuestions(lab, turnId, 2);
  await before.kill();
  await lab.startWorkerProcess();
  for (const [index, { id }] of actions.entries()) {
    await lab.decide(id, { decision: 'answer', answer: { row: index + 1 } });
  }
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  expect(turn.toolCalls.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(rows.toSorted()).toEqual([1, 2]);
});

test('an unsafe call whose question was held by a lost worker has an unknown outcome', async () => {
  const server = await startScriptedServer({
    pay: async ({ elicit }) =>
      textResult((await elicit({ message: 'Really?', requestedSchema: seat })).action),
  });
  const lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } } });
  onTestFinished(async () => {
    await lab.close();
    await server.close();
  });
  const before = await lab.startWorkerProcess();
  const scene = await lab.scene({ tools: [mcpTool('pay', { timeoutMs: 60_000 })] });
  scene.reply(callEach('pay'), { text: 'Nobody knows.' });
  const turnId = await scene.say('Pay.');
  const [action] = await waitForQuestions(lab, turnId);
  await before.kill();
  await lab.startWorkerProcess();
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', pendingActions: [] });
  expect(turn.toolCalls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
  await expect(
    lab.decide(action?.id ?? '', { decision: 'answer', answer: { row: 1 } }),
  ).rejects.toMatchObject({ code: 'ACTION_DECIDED', details: { status: 'cancelled' } });
});

function callTool(name: string, input: JsonObject = {}) {
  return { toolCalls: [{ name, arguments: input }] };
}

/** Entries for the requests that have so many results: a call whose answer was lost with its worker is made again. */
function whenAnswered(results: number, answer: AnswerEntry): AnswerEntry[] {
  const when = ({ messages }: ChatRequestBody) =>
    messages.filter(({ role }) => role === 'tool').length === results;
  return [answer, ...Array<AnswerEntry>(3).fill({ ...answer, isOptional: true })].map((one) => ({
    ...one,
    when,
  }));
}

test('questions and calls of client tools outlive every worker', async () => {
  const lab = await startTurnLab({ worker: false });
  onTestFinished(() => lab.close());
  const before = await lab.startWorkerProcess();
  const turnIds = await Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution, tools: [askUser, clientTool('open'), calculate] });
      scene.reply(
        {
          toolCalls: [
            ...callTool('ask_user', { question: 'Which?' }).toolCalls,
            ...callTool('open').toolCalls,
          ],
        },
        ...whenAnswered(2, callTool('calculate', { expression: '1 + 1' })),
        ...whenAnswered(3, { text: 'Done.' }),
      );
      return scene.say('Go.');
    }),
  );
  const actions = (await Promise.all(turnIds.map((id) => lab.waitForActions(id, 2)))).flat();
  await before.kill();
  // Half of them are answered while no worker lives.
  for (const { id } of actions.filter(({ kind }) => kind === 'question')) {
    await lab.decide(id, { decision: 'answer', answer: 'This one.' });
  }
  await lab.startWorkerProcess();
  for (const { id } of actions.filter(({ kind }) => kind === 'client_tool')) {
    await lab.decide(id, { decision: 'answer', answer: 'opened' });
  }
  const turns = await Promise.all(turnIds.map((id) => lab.waitForOutcome(id)));

  for (const turn of turns) {
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
    expect(turn.toolCalls.map(({ result }) => result)).toEqual(['This one.', 'opened', '2']);
  }
});
