import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { forkConversation } from '../../src/modules/turns/forks/fork-conversation.ts';
import { eventually } from '../labs/eventually.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { startScriptedServer, type ScriptedServer } from '../servers/mcp-servers.ts';
import type { ScriptedRequest } from '../servers/scripted-model.ts';

let lab: TurnLab;
let server: ScriptedServer;

beforeAll(async () => {
  const text = (content: string) => () => ({ content: [{ type: 'text' as const, text: content }] });
  server = await startScriptedServer({ blank: text(' \n'), echo: text('echoed') });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});
// All vendors were shown each request of these tests: closing the lab fails with what one of them would refuse.
afterAll(async () => {
  await lab.close();
  await server.close();
});

const oddIds = [
  'functions.echo:0',
  'Aufruf-ä',
  'x'.repeat(200),
  'two\nlines',
  'nul\u0000',
  'echo:0',
  'echo:0',
];

describe.each(executionModes)('in %s execution', (execution) => {
  const options = {
    execution,
    tools: [mcpTool('echo', { effect: 'read_only' }), mcpTool('blank', { effect: 'read_only' })],
  };

  test('odd ids of calls reach the next model, and that of a fallback in the same turn, with their results', async () => {
    const scene = await lab.scene({ ...options, fallbacks: 1 });
    scene.reply(
      { toolCalls: oddIds.map((id, index) => ({ id, name: index === 1 ? 'blank' : 'echo', arguments: {} })) },
      { status: 401 },
      { text: 'Done.' },
    );
    scene.replyAs(1, { toolCalls: [{ id: 'functions.echo:0', name: 'echo', arguments: {} }], text: ' \n' });
    const turn = await lab.waitForOutcome(await scene.say('Go.'));
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
    const { messages } = readLast(scene.requests());
    const calls = messages.flatMap(({ tool_calls: asked = [] }) => asked.map(({ id }) => id));
    const results = messages.flatMap(({ tool_call_id: id }) => id ?? []);
    expect(calls).toHaveLength(oddIds.length + 1);
    expect([...results].sort()).toEqual([...calls].sort());
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toContain(
      '[The result is empty.]',
    );
  });

  test("an answer of white space only is none, and the next call has Holdfast's words as a note", async () => {
    const scene = await lab.scene(options);
    scene.reply({ text: ' \n ' }, { text: 'Here.' });
    const first = await lab.waitForOutcome(await scene.say('Hello?'));
    expect(first.answer).toBe('The model ended the turn without an answer.');
    await lab.waitForOutcome(await scene.say('Are you there?'));
    const { messages } = readLast(scene.requests());
    expect(messages.filter(({ role }) => role === 'assistant')).toEqual([]);
    expect(messages.at(-1)?.content).toMatch(/Hello\?.*without an answer\.\]\n\nAre you there\?$/s);
  });

  test('a cancelled turn keeps what its model had said apart from the words about its end, in a fork too', async () => {
    const scene = await lab.scene(options);
    scene.reply({ text: 'Once upon a time', hang: true });
    const turnId = await scene.say('Tell me a story.');
    await eventually(
      () => lab.readChunks(turnId),
      (chunks) =>
        chunks
          .map(({ text }) => text)
          .join('')
          .includes('time'),
    );
    await lab.cancelTurn(turnId);
    const { answer } = await lab.waitForOutcome(turnId);
    expect(answer).toBe('Once upon a time\n\nThe turn was cancelled.');
    scene.reply({ text: 'Yes.' }, { text: 'Yes.' });
    const next = await lab.waitForOutcome(await scene.say('Go on.'));
    const expected = [
      { role: 'user', content: 'Tell me a story.' },
      { role: 'assistant', content: 'Once upon a time' },
      {
        role: 'user',
        content: expect.stringMatching(/^\[A note .*The turn was cancelled\.\]\n\nGo on\.$/) as string,
      },
    ];
    expect(readLast(scene.requests()).messages.slice(1)).toMatchObject(expected);
    const { turn } = await forkConversation(lab.turns, lab, {
      parentId: scene.conversationId,
      input: { turnId: next.id, tools: 'live', run: true },
    });
    await lab.waitForOutcome(turn?.id ?? '');
    expect(readLast(scene.requests()).messages.slice(1)).toMatchObject(expected);
  });
});

function readLast(requests: ScriptedRequest[]): ScriptedRequest['body'] {
  const last = requests.at(-1);
  if (!last) throw new Error('the model was not asked');
  return last.body;
}
