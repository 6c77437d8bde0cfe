import { executionModes } from '../../src/domain/agent.ts';
import { watchSettling, withPatience, type AcceptedTurn, type Load } from './accepted-turns.ts';
import { pick } from './injections.ts';
import { createStartOrder } from './load.ts';
import type { World } from './world.ts';

const turns = 300;
const lanes = 8;

/** Starts 300 turns, each in a new conversation, as fast as the API accepts them. */
export function startBacklogLoad(world: World, name: string): Load {
  const start = createStartOrder(world, world.agentIds);
  const accepted: AcceptedTurn[] = [];
  const settling: Promise<void>[] = [];
  const stopping = new AbortController();
  const watcher = watchSettling(world.databaseUrl, accepted);
  const numbers = Array.from({ length: turns }, (_, index) => index).values();

  async function submit(number: number): Promise<void> {
    const execution = pick(executionModes, number);
    const order = `${name}-${number}`;
    const id = await start(order, execution, stopping.signal);
    if (id === undefined) return;
    const one = { id, order, execution, acceptedAt: Date.now() };
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
