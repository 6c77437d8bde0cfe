import { setTimeout as sleep } from 'node:timers/promises';
import { createHoldfastClient } from '../../src/client/create-holdfast-client.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import type { Agents } from './seed.ts';
import type { World } from './world.ts';

const lanes = 8;
const pauseMs = 500;

/** Starts turns with the API in several lanes, again and again under one key until each is accepted. */
export function startLoad(world: World, name: string, agentIds: Agents = world.agentIds): Load {
  const accepted: AcceptedTurn[] = [];
  const stopping = new AbortController();
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const watcher = watchSettling(world.databaseUrl, accepted);
  let count = 0;

  async function submit(order: string, execution: ExecutionMode): Promise<void> {
    const agentId = agentIds[execution];
    const conversation = await repeat(() => client.conversations.create({ agentId }), stopping.signal);
    if (!conversation) return;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    const turn = await repeat(() => client.turns.start(request), stopping.signal);
    if (!turn) return;
    const one = { id: turn.id, order, execution, acceptedAt: Date.now() };
    accepted.push(one);
    await watcher.settled(one);
  }

  const running = Array.from({ length: lanes }, async (_, lane) => {
    const execution = executionModes[lane % executionModes.length] ?? 'inspectable';
    while (!stopping.signal.aborted) {
      await submit(`${name}-${++count}`, execution);
      await sleep(pauseMs * Math.random() * 2);
    }
  });
  return {
    accepted,
    stop: async () => {
      stopping.abort();
      await withPatience(Promise.all(running));
      await watcher.close();
    },
  };
}
