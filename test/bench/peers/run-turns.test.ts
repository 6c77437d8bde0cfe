import { expect, it } from 'vitest';
import type { Peer } from '../../../bench/peers/contract.ts';
import { runTurns } from '../../../bench/peers/run-turns.ts';
import { turnSteps } from '../../../bench/programs/contract.ts';
import { callModel, callTool, userMessage } from '../../../bench/peers/turn-script.ts';

function createFakePeer() {
  const conversations: string[] = [];
  let running = 0;
  let most = 0;
  const peer: Peer = {
    runTurn: async (conversationId) => {
      conversations.push(conversationId);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    },
    close: () => Promise.resolve(),
  };
  return { peer, conversations, most: () => most };
}

it('runs as many turns as were ordered, with so many in flight, each in a new conversation', async () => {
  const { peer, conversations, most } = createFakePeer();
  const { latenciesMs } = await runTurns(peer, { inFlight: 3, turns: 10 });
  expect(latenciesMs).toHaveLength(10);
  expect(most()).toBe(3);
  expect(new Set(conversations).size).toBe(10);
});

it('runs all turns in one conversation when it is told to', async () => {
  const { peer, conversations } = createFakePeer();
  await runTurns(peer, { inFlight: 1, turns: 4, oneConversation: true });
  expect(conversations).toHaveLength(4);
  expect(new Set(conversations).size).toBe(1);
});

it('starts no turn after the duration', async () => {
  const { peer, conversations } = createFakePeer();
  const { latenciesMs, turnsPerSecond } = await runTurns(peer, { inFlight: 2, durationMs: 20 });
  expect(latenciesMs).toHaveLength(conversations.length);
  expect(turnsPerSecond).toBeGreaterThan(0);
});

it('scripts a turn of four answers and three tool calls, in a conversation of any length', () => {
  const messages = [userMessage, callModel([userMessage]), userMessage];
  const start = messages.length;
  while (messages.length < start + turnSteps) {
    messages.push(messages.at(-1)?.toolCall ? callTool() : callModel(messages));
  }
  const roles = messages.slice(start).map(({ role }) => role);
  expect(roles.filter((role) => role === 'assistant')).toHaveLength(4);
  expect(roles.filter((role) => role === 'tool')).toHaveLength(3);
  expect(messages.at(-1)?.toolCall).toBeUndefined();
});
