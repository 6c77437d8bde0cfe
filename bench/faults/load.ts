import { setTimeout as sleep } from 'node:timers/promises';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import type { Agents } from './seed.ts';
import type { World } from './world.ts';

const lanes = 8;
const pauseMs = 500;

/** Starts what one order asks for, and returns the id of its turn; undefined when it was stopped before it was accepted. */
export type StartOrder = (
  order: string,
  execution: ExecutionMode,
  stopped: AbortSignal,
) => Promise<string | undefined>;

/** Starts turns with the API, again and again under one key until each is accepted. */
export function startLoad(world: World, name: string, agentIds: Agents = world.agentIds): Load {
  return startLanes(world, name, createStartOrder(world, agentIds));
}

/** Creates the function that starts an order as a turn of a new conversation, again and again under one key. */
export function createStartOrder({ origin, apiKey }: World, agentIds: Agents): StartOrder {
  const client = createHoldfastClient({ baseUrl: origin, apiKey });
  return async (order, execution, stopped) => {
    const agentId = agentIds[execution];
    const conversation = await repeat(() => client.conversations.create({ agentId }), stopped);
    if (!conversation) return undefined;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    return (await repeat(() => client.turns.start(request), stopped))?.id;
  };
}

/** Starts orders in several lanes, each when the one before is settled. */
export function startLanes({ databaseUrl }: World, name: string, start: StartOrder): Load {
  const accepted: AcceptedTurn[] = [];
  const stopping = new AbortController();
  const watcher = watchSettling(databaseUrl, accepted);
  let count = 0;

  async function submit(order: string, execution: ExecutionMode): Promise<void> {
    const id = await start(order, execution, stopping.signal);
    if (id === undefined) return;
    const one = { id, order, execution, acceptedAt: Date.now() };
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
