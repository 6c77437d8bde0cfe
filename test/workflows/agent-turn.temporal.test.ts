import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { recordHistory } from '../labs/histories.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import { containing } from '../labs/matchers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let server: ScriptedServer;
let waiting: (() => void)[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    fine: () => textResult('fine'),
    broken: () => ({ ...textResult('the printer is on fire'), isError: true }),
    // Answers once two calls have arrived, so it ends only when calls really run in parallel.
    meet: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(textResult('met')));
        if (waiting.length < 2) return;
        for (const leave of waiting) leave();
        waiting = [];
      }),
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

describe.each(executionModes)('a turn in %s execution', (execution) => {
  test('calls the model, runs the tool, and answers with the result of the tool', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    scene.reply(
      { text: 'Let me see. ', toolCalls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
      { text: 'It is 42.', usage: { inputTokens: 30, cacheReadTokens: 12, outputTokens: 4 } },
    );
    const turn = await lab.waitForOutcome(await scene.say('What is six times seven?'));

    expect(turn).toMatchObject({
      outcome: 'completed',
      answer: 'It is 42.',
      iterations: 2,
      error: null,
      usage: { inputTokens: 40, cacheReadTokens: 12, outputTokens: 9 },
      toolCalls: [
        {
          name: 'calculate',
          type: 'function',
          status: 'succeeded',
          attempts: 1,
          result: containing('42'),
        },
      ],
    });
    expect(scene.requests()).toHaveLength(2);
    expect(scene.requests()[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.map(({ type }) => type)).toEqual([
      'turn.started',
      'message.created',
      'tool.started',
      'tool.executed',
      'message.created',
      'turn.settled',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    await recordHistory(lab, `completed-${execution}`, turn.id);
  });

  test('runs the calls of one answer concurrently, and a failed call does not affect the others', async () => {
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('meet'), mcpTool('broken'), mcpTool('fine')],
    });
    scene.reply(
      {
        toolCalls: [
          { name: 'meet', arguments: {} },
          { name: 'broken', arguments: {} },
          { name: 'meet', arguments: {} },
          { name: 'fine', arguments: {} },
        ],
      },
      { text: 'Three of four worked.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Do all of it.'));

    expect(turn.outcome).toBe('completed');
    expect(turn.toolCalls.map(({ name, status, attempts }) => [name, status, attempts])).toEqual([
      ['meet', 'succeeded', 1],
      ['broken', 'failed', 1],
      ['meet', 'succeeded', 1],
      ['fine', 'succeeded', 1],
    ]);
    expect(turn.toolCalls[1]?.error).toEqual({ code: 'TOOL_FAILED', message: 'the printer is on fire' });
    const told = scene.requests()[1]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(told.map(({ content }) => content)).toEqual([
      'met',
      expect.stringContaining('the printer is on fire'),
      'met',
      'fine',
    ]);
    await recordHistory(lab, `tool-failure-${execution}`, turn.id);
  });

  test('tells calls apart when the model repeats their ids, within an answer and between answers', async () => {
    const scene = await lab.scene({ execution, tools: [calculate] });
    const call = (expression: string) => ({ id: 'call_0', name: 'calculate', arguments: { expression } });
    scene.reply(
      { toolCalls: [call('1 + 1'), call('2 + 2')] },
      { toolCalls: [call('3 + 3')] },
      { text: 'Done.' },
    );
    const turn = await lab.waitForOutcome(await scene.say('Add things.'));

    expect(turn.toolCalls.map(({ iteration, index, status }) => [iteration, index, status])).toEqual([
      [1, 0, 'succeeded'],
      [1, 1, 'succeeded'],
      [2, 0, 'succeeded'],
    ]);
    expect(turn.toolCalls.map(({ result }) => /[246]$/.exec(result ?? '')?.[0])).toEqual(['2', '4', '6']);
    const keys = (await lab.readLedger(turn.id)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    const last = scene.requests()[2]?.body.messages ?? [];
    const asked = last.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
    const answered = last.flatMap(({ tool_call_id: id }) => id ?? []);
    expect(new Set(asked).size).toBe(3);
    expect(answered).toEqual(asked);
  });
});
