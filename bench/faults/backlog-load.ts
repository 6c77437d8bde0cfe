import { createHoldfastClient } from '../../src/client/create-holdfast-client.ts';
import { executionModes } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { pick } from './injections.ts';
import type { World } from './world.ts';

const turns = 300;
const lanes = 8;

/** Starts 300 turns, each in a new conversation, as fast as the API accepts them. */
export function startBacklogLoad({ databaseUrl, origin, apiKey, agentIds }: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: origin, apiKey });
  const accepted: AcceptedTurn[] = [];
  const settling: Promise<void>[] = [];
  const stopping = new AbortController();
  const watcher = watchSettling(databaseUrl, accepted);
  const numbers = Array.from({ length: turns }, (_, index) => index).values();

  async function submit(number: number): Promise<void> {
    const execution = pick(executionModes, number);
    const order = `${name}-${number}`;
    const create = () => client.conversations.create({ agentId: agentIds[execution] });
    const conversation = await repeat(create, stopping.signal);
    if (!conversation) return;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    const turn = await repeat(() => client.turns.start(request), stopping.signal);
    if (!turn) return;
    const one = { id: turn.id, order, execution, acceptedAt: Date.now() };
    accepted.push(one);
    settling.push(watcher.settled(one));
  }

  const lane = async () => {
    for (const number of numbers) await submit(number);
  };
  const all = Promise.all(Array.from({ length: lanes }, lane));
  return {
    accepted,
    stop: async () => {
      await withPatience(all.then(() => Promise.all(settling)));
      stopping.abort();
      await watcher.close();
    },
  };
}
