import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import type { ReceivedEvent } from '../../src/clients/client/received-event.ts';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, type Load } from './accepted-turns.ts';
import { startLanes } from './load.ts';
import { slowModel } from './model.ts';
import { createShopTools } from './seed.ts';
import type { World } from './world.ts';

/** Starts turns whose model writes for some seconds, and reads each of them as a page does. */
export function startReadingLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const agents = new Map<ExecutionMode, Promise<string | undefined>>();
  const readers = new Map<string, Promise<string[]>>();

  function findAgent(execution: ExecutionMode, signal: AbortSignal): Promise<string | undefined> {
    const model = `compatible/${slowModel}`;
    const agent = { name: `${name}-${execution}`, execution, model, tools: createShopTools('never') };
    const create = () => client.agents.create({ ...agent, instructions: 'Pay, book and look, then answer.' });
    const created = agents.get(execution) ?? repeat(create, signal).then((one) => one?.id);
    agents.set(execution, created);
    return created;
  }

  const load = startLanes(world, name, async (order, execution, stopped) => {
    const agentId = await findAgent(execution, stopped);
    if (agentId === undefined) return undefined;
    const conversation = await repeat(() => client.conversations.create({ agentId }), stopped);
    if (!conversation) return undefined;
    const request = { conversationId: conversation.id, message: order, idempotencyKey: order };
    const turn = await repeat(() => client.turns.start(request), stopped);
    if (turn) readers.set(turn.id, readTurn(client.turns.stream(turn.id)));
    return turn?.id;
  });
  return {
    ...load,
    check: async (turns) => {
      const read = turns.flatMap(({ id }) => readers.get(id) ?? []);
      return (await Promise.all(read)).flat();
    },
  };
}

/** Follows a turn, and returns one sentence for each message that is not what the reader had in pieces before it. */
export async function readTurn(events: AsyncIterable<ReceivedEvent>): Promise<string[]> {
  const pieces = new Map<number, string>();
  const problems: string[] = [];
  for await (const event of events) {
    if (event.type === 'stream.reset') pieces.delete(event.iteration);
    if (event.type === 'text.delta')
      pieces.set(event.iteration, (pieces.get(event.iteration) ?? '') + event.text);
    if (event.type !== 'message.created') continue;
    const { iteration, text } = event.payload;
    const held = pieces.get(iteration) ?? text;
    if (held !== text) problems.push(`a reader of turn ${event.turnId} held "${held}" before "${text}"`);
  }
  return problems;
}
