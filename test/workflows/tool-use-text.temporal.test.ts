import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolInput } from '../../src/domain/tool.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import type { AnswerEntry } from '../servers/scripted-model.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { LabSceneOptions } from '../labs/turn-lab-scene.ts';

const search = mcpTool('search', { effect: 'read_only' });
const gateway: ToolInput = {
  type: 'mcp',
  name: 'mcp',
  description: 'Lists and calls tools.',
  schema: { type: 'object', properties: {} },
  config: { gateway: true, servers: ['lab'] },
};

function block(tool: string, input: string, server = 'lab'): string {
  return `<tool_use>\n<server>${server}</server>\n<tool>${tool}</tool>\n<arguments>${input}</arguments>\n</tool_use>`;
}

let lab: TurnLab;
let server: ScriptedServer;
let reached: unknown[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    search: ({ arguments: input }) => {
      reached.push(input);
      return textResult('sunny, 21 degrees');
    },
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

beforeEach(() => {
  reached = [];
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

/** Runs one turn to its end with what the model says, and gives what came of it. */
async function play(options: LabSceneOptions, ...answers: AnswerEntry[]) {
  const scene = await lab.scene(options);
  scene.reply(...answers);
  const turn = await lab.waitForOutcome(await scene.say('What is the weather today?'));
  const events = await lab.readEvents(scene.conversationId);
  const messages = events.flatMap((event) => (event.type === 'message.created' ? [event.payload] : []));
  const chunks = await lab.readChunks(turn.id);
  const streamed = chunks.filter(({ iteration }) => iteration === 1).map(({ text }) => text ?? '');
  return { turn, messages, streamed: streamed.join(''), requests: scene.requests().map(({ body }) => body) };
}

const done: AnswerEntry = { text: 'It is sunny.' };

test('Story 1, detection via finish_reason: tool_calls runs the native tool calls', async () => {
  const native = { toolCalls: [{ name: 'search', arguments: { query: 'weather today' } }] };
  const { turn } = await play({ tools: [search] }, { ...native, finishReason: 'tool_calls' }, done);

  expect(reached).toEqual([{ query: 'weather today' }]);
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is sunny.' });
});

test('Story 1, detection via finish_reason: tool_calls with blocks in place of native calls runs those', async () => {
  const text = block('search', '{"query": "weather today"}');
  await play({ tools: [search] }, { text, finishReason: 'tool_calls' }, done);

  expect(reached).toEqual([{ query: 'weather today' }]);
});

describe.each(['end_turn', 'STOP', 'stop'])('when the model ends with %s', (finishReason) => {
  test('Story 2, fallback detection via content: a tool_use block is run and taken out of the text', async () => {
    const text = `Let me look.\n${block('search', '{"query": "weather today"}')}`;
    const { turn, messages, streamed } = await play({ tools: [search] }, { text, finishReason }, done);

    expect(reached).toEqual([{ query: 'weather today' }]);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is sunny.', iterations: 2 });
    expect(turn.toolCalls).toMatchObject([
      { name: 'search', status: 'succeeded', arguments: { query: 'weather today' } },
    ]);
    expect(messages[0]).toMatchObject({ text: 'Let me look.', toolCalls: [{ name: 'search' }] });
    expect('Let me look.'.startsWith(streamed)).toBe(true);
  });

  test('Story 2, fallback detection via content: without a block the response is complete', async () => {
    const { turn } = await play({ tools: [search] }, { text: 'No tool is needed.', finishReason });

    expect(turn).toMatchObject({
      outcome: 'completed',
      answer: 'No tool is needed.',
      iterations: 1,
      toolCalls: [],
    });
  });
});

test('Story 3, parsing: a valid block gives server, tool and arguments', async () => {
  const text = block('search', '{"query": "R&amp;D in <![CDATA[a < b]]>",\n "limit": 3}');
  const { turn } = await play({ tools: [search] }, { text, finishReason: 'end_turn' }, done);

  expect(reached).toEqual([{ query: 'R&D in a < b', limit: 3 }]);
  expect(turn.toolCalls).toHaveLength(1);
});

test('Story 3, parsing: multiple blocks give a list of calls, which run at once', async () => {
  const text = `${block('search', '{"query": "one"}')} ${block('calculate', '{"expression": "6*7"}', 'local')}`;
  const { turn, requests } = await play(
    { tools: [search, calculate] },
    { text, finishReason: 'end_turn' },
    done,
  );

  expect(turn.toolCalls.map(({ name, status, result }) => [name, status, result])).toEqual([
    ['search', 'succeeded', 'sunny, 21 degrees'],
    ['calculate', 'succeeded', '42'],
  ]);
  expect(requests[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
});

test('Story 3, parsing: malformed XML is skipped, and the model is told', async () => {
  const text = `First ${block('search', '{"query": ')} then ${block('search', '{"query": "good"}')}`;
  const { turn, messages, requests } = await play(
    { tools: [search] },
    { text, finishReason: 'end_turn' },
    done,
  );

  expect(reached).toEqual([{ query: 'good' }]);
  expect(turn.toolCalls.map(({ name, status }) => [name, status])).toEqual([
    ['search', 'succeeded'],
    ['tool_use', 'failed'],
  ]);
  expect(messages[0]?.text).toBe('First then');
  const told = requests[1]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content;
  expect(told).toContain('INVALID_TOOL_ARGUMENTS');
  expect(told).toContain('its <arguments> are not a JSON object');
});

test('Story 4, execution loop: results are appended to the messages of the next request', async () => {
  const text = block('search', '{"query": "weather"}').replace('<tool>', '<id>call-7</id><tool>');
  const { requests } = await play({ tools: [search] }, { text, finishReason: 'end_turn' }, done);

  const [asked, answered] = requests[1]?.messages.slice(-2) ?? [];
  expect(asked).toMatchObject({
    role: 'assistant',
    tool_calls: [{ id: 'call-7', function: { name: 'search' } }],
  });
  expect(asked?.content ?? '').not.toContain('tool_use');
  expect(answered).toMatchObject({ role: 'tool', tool_call_id: 'call-7', content: 'sunny, 21 degrees' });
});

test('Story 4, execution loop: the loop goes on until the final response, which is the answer', async () => {
  const { turn } = await play(
    { tools: [search] },
    { text: block('search', '{"query": "one"}'), finishReason: 'end_turn' },
    { text: block('search', '{"query": "two"}'), finishReason: 'STOP' },
    done,
  );

  expect(reached).toEqual([{ query: 'one' }, { query: 'two' }]);
  expect(turn).toMatchObject({ outcome: 'completed', iterations: 3, answer: 'It is sunny.' });
});

test('a block inside a code fence is streamed as text and not run', async () => {
  const text = `Write it like this:\n\n\`\`\`xml\n${block('search', '{}')}\n\`\`\`\n\nThat is all.`;
  const { turn, streamed } = await play(
    { tools: [search] },
    { text, finishReason: 'end_turn', chunkDelayMs: 20 },
  );

  expect(turn).toMatchObject({ outcome: 'completed', answer: text, toolCalls: [] });
  expect(streamed).toBe(text);
  expect(reached).toEqual([]);
});

test('no part of a block is streamed, and the chunks together are the message', async () => {
  const text = `Let me look that up for you.\n${block('search', '{"query": "x"}')}\nOne moment.`;
  const answer = { text, finishReason: 'end_turn', chunkDelayMs: 30 };
  const { messages, streamed } = await play({ tools: [search] }, answer, done);

  expect(messages[0]?.text).toBe('Let me look that up for you.\n\nOne moment.');
  expect(streamed).toBe(messages[0]?.text);
});

test('a block for a tool behind the gateway is called through the gateway', async () => {
  const text = block('search', '{"query": "weather"}');
  const { turn } = await play({ tools: [gateway] }, { text, finishReason: 'end_turn' }, done);

  const input = { action: 'call', server: 'lab', tool: 'search', args: { query: 'weather' } };
  expect(turn.toolCalls).toMatchObject([{ name: 'mcp', status: 'succeeded', arguments: input }]);
  expect(reached).toEqual([{ query: 'weather' }]);
});

test('a block for a tool that the agent does not have returns an error to the model', async () => {
  const text = block('make_coffee', '{}', 'kitchen');
  const { turn, requests } = await play({ tools: [search] }, { text, finishReason: 'end_turn' }, done);

  expect(turn.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'UNKNOWN_TOOL' } }]);
  expect(requests[1]?.messages.at(-1)?.content).toContain('There is no tool kitchen:make_coffee');
});

test('an agent that does not read blocks keeps them as text', async () => {
  const text = `So be it: ${block('search', '{}')}`;
  const { turn } = await play(
    { tools: [search], toolCallsInText: false },
    { text, finishReason: 'end_turn' },
  );

  expect(turn).toMatchObject({ outcome: 'completed', answer: text, toolCalls: [] });
});

test('blocks beside native tool calls are kept as text', async () => {
  const text = `So be it: ${block('search', '{"query": "text"}')}`;
  const native = { text, toolCalls: [{ name: 'search', arguments: { query: 'native' } }] };
  const { messages } = await play({ tools: [search] }, native, done);

  expect(reached).toEqual([{ query: 'native' }]);
  expect(messages[0]?.text).toBe(text);
});

test('blocks of an answer that was cut are not run', async () => {
  const text = `So be it: ${block('search', '{"query": "text"}')}`;
  const { turn } = await play({ tools: [search] }, { text, finishReason: 'length' });

  expect(reached).toEqual([]);
  expect(turn).toMatchObject({ outcome: 'completed', answer: text });
});

test('a block of the answer after the last iteration is removed from the text and not run', async () => {
  const { turn } = await play(
    { tools: [search], limits: { maxIterations: 1 } },
    { text: block('search', '{"query": "one"}'), finishReason: 'end_turn' },
    { text: `All I know. ${block('search', '{"query": "two"}')}`, finishReason: 'end_turn' },
  );

  expect(reached).toEqual([{ query: 'one' }]);
  expect(turn).toMatchObject({ outcome: 'iteration_limit', answer: 'All I know.' });
});

describe.each([
  [
    '<tool_call>',
    (name: string, city: string) =>
      `<tool_call>{"name": "${name}", "arguments": {"q": "${city}"}}</tool_call>`,
  ],
  [
    'tool_code',
    (name: string, city: string) => `\`\`\`tool_code\n${name.replace(':', '.')}(q="${city}")\n\`\`\``,
  ],
])('a call in the form %s', (_form, write) => {
  test('runs the tool that it names, without a server', async () => {
    const text = `Let me look.\n${write('search', 'Rome')}`;
    const { turn, messages, streamed } = await play({ tools: [search] }, { text }, done);

    expect(reached).toEqual([{ q: 'Rome' }]);
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is sunny.' });
    expect(messages[0]).toMatchObject({ text: 'Let me look.' });
    expect('Let me look.').toContain(streamed.trim());
  });

  test('runs a tool behind the gateway by server and name', async () => {
    await play({ tools: [gateway] }, { text: write('lab:search', 'Oslo') }, done);

    expect(reached).toEqual([{ q: 'Oslo' }]);
  });
});
