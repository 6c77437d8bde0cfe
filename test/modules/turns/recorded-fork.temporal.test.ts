import { afterAll, beforeAll, expect, test } from 'vitest';
import { executionModes, type ExecutionMode } from '../../../src/domain/agent.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { forkInputSchema } from '../../../src/modules/turns/forks/fork.ts';
import { cancelTurn } from '../../../src/modules/turns/cancel-turn.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import type { AgentTurnInput } from '../../../src/contract/turn-steps.ts';
import { recordHistory } from '../../labs/histories.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import type { ScriptEntry } from '../../servers/scripted-model.ts';

let lab: TurnLab;
let server: ScriptedServer;
let called = 0;

beforeAll(async () => {
  server = await startScriptedServer({
    look: ({ arguments: { at } }) => {
      called += 1;
      return Promise.resolve(textResult(`saw ${String(at)}`));
    },
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

const tool = { ...mcpTool('look', { effect: 'read_only' }, { type: 'object', properties: {} }) };
const look = (...places: string[]): ScriptEntry => ({
  toolCalls: places.map((at) => ({ name: tool.name, arguments: { at } })),
});
const say = (text: string): ScriptEntry => ({ text });

function fork(scene: LabScene, input: object, startTurn = lab.engine.startTurn) {
  return forkConversation({ ...lab.turns, startTurn }, lab, {
    parentId: scene.conversationId,
    input: forkInputSchema.parse(input),
  });
}

async function record(execution: ExecutionMode = 'direct') {
  const scene = await lab.scene({ tools: [tool], execution });
  scene.reply(look('a'), look('b', 'c'), say('Seen.'));
  const turnId = await scene.say('Look around.');
  await lab.waitForOutcome(turnId);
  return { scene, turnId, calls: called };
}

const readMessages = (scene: LabScene) => scene.requests().map(({ body }) => body.messages);

test('the model is asked the same in a fork as in its parent, whatever came before', async () => {
  const scene = await lab.scene({ tools: [tool] });
  let release = () => {};
  const until = new Promise<void>((resolve) => (release = resolve));
  scene.reply({ ...look('a'), until }, say('Both.'));
  const first = await scene.say('First.');
  await scene.waitForRequest(1);
  const steered = await scene.say('Also this.', { onBusy: 'steer' });
  release();
  await lab.waitForOutcome(first);
  scene.reply({ ...say('Never mind.'), hang: true });
  const hidden = await scene.say('Forget this.');
  await scene.waitForRequest(3);
  scene.reply(look('b'), look('no such', 'place'), say('Last.'));
  const last = await scene.say('Last.', { onBusy: 'rollback' });
  await lab.waitForOutcome(last);
  const asked = readMessages(scene).slice(-3);
  expect((await lab.readTurn(hidden)).rolledBack).toBe(true);

  scene.reply(look('b'), look('no such', 'place'), say('Last.'));
  const whole = await fork(scene, { turnId: last });
  await lab.waitForOutcome(whole.turn?.id ?? '');
  expect(readMessages(scene).slice(-3)).toEqual(asked);
  scene.reply(look('no such', 'place'), say('Last.'));
  const step = await fork(scene, { turnId: last, iteration: 1, tools: 'live' });
  await lab.waitForOutcome(step.turn?.id ?? '');
  expect(readMessages(scene).slice(-2)).toEqual(asked.slice(-2));
  scene.reply(say('Both.'));
  const ofSteered = await fork(scene, { turnId: first, iteration: 1 });
  const settled = await lab.waitForOutcome(ofSteered.turn?.id ?? '');
  expect(settled).toMatchObject({ outcome: 'completed', answer: 'Both.' });
  expect(readMessages(scene).at(-1)).toEqual(readMessages(scene)[1]);
  await expect(fork(scene, { turnId: steered })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', details: { turnId: first } },
  });
  scene.reply(say('Remembered.'));
  const ofHidden = await fork(scene, { turnId: hidden });
  expect(await lab.waitForOutcome(ofHidden.turn?.id ?? '')).toMatchObject({ answer: 'Remembered.' });
});

test('a recorded turn that runs cannot be forked, and is cancelled while the model answers', async () => {
  const { scene, turnId, calls } = await record();
  scene.reply({ ...look('a'), hang: true });
  const { conversation, turn } = await fork(scene, { turnId });
  await scene.waitForRequest(4);
  await expect(
    forkConversation(lab.turns, lab, {
      parentId: conversation.id,
      input: forkInputSchema.parse({ turnId: turn?.id }),
    }),
  ).rejects.toMatchObject({ code: 'TURN_RUNNING' });

  await lab.cancelTurn(turn?.id ?? '');

  expect(await lab.waitForOutcome(turn?.id ?? '')).toMatchObject({ outcome: 'cancelled', toolCalls: [] });
  expect(called).toBe(calls);
  await recordHistory(lab, 'recorded-turn-cancelled', turn?.id ?? '');
});

test('a recorded turn whose workflow is not told of a cancel request is cancelled by its step', async () => {
  const { scene, turnId } = await record();
  scene.reply({ ...look('a'), hang: true });
  const { turn } = await fork(scene, { turnId });
  await scene.waitForRequest(4);

  await cancelTurn({ ...lab.turns, cancelTurn: () => Promise.resolve() }, lab, turn?.id ?? '');

  expect(await lab.waitForOutcome(turn?.id ?? '')).toMatchObject({ outcome: 'cancelled', error: null });
});

for (const execution of executionModes) {
  test(`a recorded turn that is started as a live one of ${execution} execution runs no tool`, async () => {
    const { scene, turnId, calls } = await record(execution);
    for (let attempt = 0; attempt < 5; attempt += 1) scene.reply({ ...look('a'), isOptional: true });
    const asLive = (input: AgentTurnInput) => {
      delete input.recordedFrom;
      return lab.engine.startTurn(input);
    };

    const { turn } = await fork(scene, { turnId }, asLive);

    const settled = await lab.waitForOutcome(turn?.id ?? '');
    expect(settled.outcome).toBe('failed');
    expect(called).toBe(calls);
  });
}

test('a fork whose parent is removed while it runs fails with a reason', async () => {
  const { scene, turnId } = await record();
  const later = (input: AgentTurnInput) => {
    starts.push(input);
    return Promise.resolve();
  };
  const starts: AgentTurnInput[] = [];
  const { turn } = await fork(scene, { turnId }, later);
  await lab.database
    .system('conversations')
    .where({ id: scene.conversationId })
    .update({ deleted_at: new Date() });

  for (const start of starts) await lab.engine.startTurn(start);

  const settled = await lab.waitForOutcome(turn?.id ?? '');
  expect(settled).toMatchObject({ outcome: 'failed', error: { code: 'NOT_FOUND' } });
  await expect(fork(scene, { turnId })).rejects.toBeInstanceOf(HoldfastError);
});
