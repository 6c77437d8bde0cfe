import { expect, onTestFinished, test } from 'vitest';
import { forkInputSchema } from '../../../src/modules/turns/forks/fork.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import { recordHistory } from '../../labs/histories.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult } from '../../servers/mcp-servers.ts';
import type { ScriptEntry } from '../../servers/scripted-model.ts';

const tool = { ...mcpTool('look', { effect: 'read_only' }, { type: 'object', properties: {} }) };
const look = (...places: string[]): ScriptEntry => ({
  toolCalls: places.map((at) => ({ name: tool.name, arguments: { at } })),
});
const say = (text: string): ScriptEntry => ({ text });

test('another worker continues after the last stored step of a recorded turn, with the same results', async () => {
  let called = 0;
  const server = await startScriptedServer({
    look: ({ arguments: { at } }) => {
      called += 1;
      return textResult(`saw ${String(at)}`);
    },
  });
  const lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } } });
  onTestFinished(async () => {
    await lab.close();
    await server.close();
  });
  const worker = await lab.startWorkerProcess();
  const scene = await lab.scene({ tools: [tool] });
  scene.reply(look('a'), look('b', 'a'), say('Seen.'));
  const turnId = await scene.say('Look around.');
  await lab.waitForOutcome(turnId);
  const calls = called;
  scene.reply(look('a'), { ...look('b', 'a'), hang: true });
  const input = forkInputSchema.parse({ turnId });
  const { turn } = await forkConversation(lab.turns, lab, { parentId: scene.conversationId, input });
  await scene.waitForRequest(5);
  await worker.kill();
  scene.reply(look('b', 'a'), say('Seen again.'));

  await lab.startWorkerProcess();
  const settled = await lab.waitForOutcome(turn?.id ?? '');

  expect(settled).toMatchObject({ outcome: 'completed', answer: 'Seen again.', iterations: 3 });
  expect(settled.toolCalls.map(({ answeredBy, result }) => [answeredBy, result])).toEqual([
    ['exact', 'saw a'],
    ['exact', 'saw b'],
    ['exact', 'saw a'],
  ]);
  expect(called).toBe(calls);
  await recordHistory(lab, 'recorded-turn', settled.id);
});
