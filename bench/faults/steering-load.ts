import { setTimeout as sleep } from 'node:timers/promises';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { findMessageProblems, readMessages, type SentMessage } from './messages.ts';
import type { World } from './world.ts';

const conversationCount = 40;
const messagesOfEach = 25;
const lanes = 10;

/** The time between two messages of a conversation, at most, in milliseconds: a turn takes about as long. */
const longestPauseMs = 1_800;

/** The share of messages that wait for a separate turn. */
const enqueuedShare = 0.3;

/** The share of messages that steer which end the model call that runs. */
const hurriedShare = 0.5;

interface SteeredConversation {
  id: string;
  execution: ExecutionMode;
  sent: SentMessage[];
}

/** Sends 1,000 messages to conversations whose turns run, at random moments. */
export function startSteeringLoad(world: World, name: string): Load {
  const accepted: AcceptedTurn[] = [];
  const conversations: SteeredConversation[] = [];
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const watcher = watchSettling(world.databaseUrl, accepted);
  const giveUp = new AbortController();

  async function send({ id, execution, sent }: SteeredConversation, text: string): Promise<void> {
    const onBusy = Math.random() < enqueuedShare ? 'enqueue' : 'steer';
    const now = onBusy === 'steer' && Math.random() < hurriedShare;
    const request = { conversationId: id, message: text, onBusy, now, idempotencyKey: text } as const;
    // A conversation takes no message while 20 wait: it is sent again.
    const turn = await repeat(() => client.turns.start(request), giveUp.signal);
    if (!turn) return;
    sent.push({ text, onBusy });
    const one = { id: turn.id, order: text, execution, acceptedAt: Date.now() };
    accepted.push(one);
    settling.push(watcher.settled(one));
  }

  async function talk(mark: string, execution: ExecutionMode): Promise<void> {
    const agentId = world.agentIds[execution];
    const created = await repeat(() => client.conversations.create({ agentId }), giveUp.signal);
    if (!created) return;
    const conversation: SteeredConversation = { id: created.id, execution, sent: [] };
    conversations.push(conversation);
    for (let number = 1; number <= messagesOfEach; number++) {
      await send(conversation, `${mark}.${number}`);
      await sleep(Math.random() * longestPauseMs);
    }
  }

  const settling: Promise<void>[] = [];
  const waiting = Array.from({ length: conversationCount }, (_, index) => index).values();
  const running = Array.from({ length: lanes }, async () => {
    for (const index of waiting) {
      await talk(`${name}-${index}`, executionModes[index % executionModes.length] ?? 'direct');
    }
  });
  return {
    accepted,
    stop: async () => {
      await Promise.all(running);
      await withPatience(Promise.all(settling));
      giveUp.abort();
      await watcher.close();
    },
    check: async ([turn]) => {
      const chosen = conversations.filter(({ execution }) => execution === turn?.execution);
      const stored = await readMessages(
        world.databaseUrl,
        chosen.map(({ id }) => id),
      );
      return chosen.flatMap(({ id, sent }) => {
        const [first] = sent;
        const prompted = world.model.prompts.textsFrom(first?.text ?? '');
        return [
          ...findMessageProblems({ sent, stored: stored.get(id) ?? [], prompted }),
          ...world.model.prompts.problemsFrom(first?.text ?? ''),
        ];
      });
    },
  };
}
