import { beforeAll, expect, test } from 'vitest';
import { createTurnAnswerRepository } from '../../../../src/modules/turns/turn-answer-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { createAnswer, createToolCall } from '../../../labs/turn-rows.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** Starts a turn whose model asked for calls with these results and contents. */
async function playCalls(results: { result: string; result_content?: string }[]): Promise<string> {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const toolCalls = results.map((_result, index) => createToolCall(index));
  const answer = createAnswer(turnId, { toolCalls });
  await api.database.transact(api.workspaceId, (query) =>
    createTurnAnswerRepository(query).storeAnswer(answer),
  );
  for (const [index, row] of results.entries()) {
    await api.database.system('tool_calls').where({ turn_id: turnId, index }).update(row);
  }
  return turnId;
}

test('results of a turn beyond some megabytes are cut, and each call can be read whole', async () => {
  const result = 'x'.repeat(100_000);
  const result_content = JSON.stringify({ structuredContent: { text: 'y'.repeat(100_000) } });
  const short = { result: 'short' };
  const turnId = await playCalls([...Array.from({ length: 30 }, () => ({ result, result_content })), short]);
  const { data } = await api.call('GET', `/api/turns/${turnId}`);
  const { toolCalls } = data.turn;
  expect(toolCalls).toHaveLength(31);
  const isWhole = toolCalls.map((call) => call.result === result && call.content !== null);
  expect(isWhole.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => true));
  expect(JSON.stringify(data).length).toBeLessThan(5_000_000);
  const last = toolCalls[29];
  expect(last).toMatchObject({ result: 'x'.repeat(2_000), resultTruncated: true, content: null });
  expect(toolCalls[30]).toMatchObject({ result: 'short', resultTruncated: false, content: null });
  const whole = await api.call('GET', `/api/turns/${turnId}/tool-calls/${last?.id ?? ''}`);
  expect(whole.status).toBe(200);
  expect(whole.data.toolCall).toEqual({
    ...last,
    ...{ result, resultTruncated: false, content: JSON.parse(result_content) as unknown, response: null },
  });
});

test('a tool call is found in its own turn and workspace only', async () => {
  const turnId = await playCalls([{ result: 'one' }]);
  const other = await playCalls([{ result: 'other' }]);
  const id = (await api.call('GET', `/api/turns/${turnId}`)).data.turn.toolCalls[0]?.id ?? '';
  const path = `/api/turns/${turnId}/tool-calls/${id}`;
  expect((await api.call('GET', path)).data.toolCall).toMatchObject({ id, result: 'one', type: 'none' });
  const { key } = await api.createWorkspace();
  const answers = [
    await api.call('GET', `/api/turns/${other}/tool-calls/${id}`),
    await api.call('GET', `/api/turns/${turnId}/tool-calls/${newId()}`),
    await api.call('GET', path, { key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(answers[0]?.error.message).toBe(`The turn ${other} has no tool call ${id}.`);
});
