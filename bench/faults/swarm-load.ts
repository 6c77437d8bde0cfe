import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { HoldfastApiError } from '../../src/clients/client/holdfast-api-error.ts';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { repeat, type Load } from './accepted-turns.ts';
import { startLanes } from './load.ts';
import { createShopTools } from './seed.ts';
import { updateFunction } from './swarm-plan.ts';
import { creditsOfCall, findSwarmProblems, readSwarms } from './swarms.ts';
import type { World } from './world.ts';

/** How many people change the state of each swarm at the same moment. */
const peopleCount = 3;

/** More than a swarm costs. With a limit, every call of the model is reserved before it is made. */
const creditLimit = 1_000_000;

/** Starts swarms, which the API accepts under one key each, and changes their state from outside while they run. */
export function startSwarmLoad(world: World, name: string): Load {
  const client = createHoldfastClient({ baseUrl: world.origin, apiKey: world.apiKey });
  const agents = new Map<ExecutionMode, Promise<string | undefined>>();
  /** The accepted updates from outside, by the id of the swarm. */
  const notes = new Map<string, Record<string, string>>();

  async function createAgent(execution: ExecutionMode, signal: AbortSignal): Promise<string | undefined> {
    const perCall = creditsOfCall / 1_000_000;
    const prices = { 'compatible/faults': { input: 0, output: 0, perCall } };
    await repeat(() => client.prices.set({ prices }), signal);
    const agent = {
      ...{ name: `${name}-${execution}`, model: 'compatible/faults', execution },
      instructions: 'Do your part of a swarm.',
      tools: [...createShopTools('never'), { type: 'function' as const, name: updateFunction }],
    };
    return (await repeat(() => client.agents.create(agent), signal))?.id;
  }

  function findAgent(execution: ExecutionMode, signal: AbortSignal): Promise<string | undefined> {
    const created = agents.get(execution) ?? createAgent(execution, signal);
    agents.set(execution, created);
    return created;
  }

  async function note(swarmId: string, id: string, signal: AbortSignal): Promise<void> {
    const value = `noted by ${id}`;
    const update = () =>
      client.swarms
        .update(swarmId, { blackboard: { set: [{ id, value }] } }, { idempotencyKey: `${swarmId}-${id}` })
        .then(() => true, refuseLate);
    const isNoted = await repeat(update, signal);
    if (isNoted) notes.set(swarmId, { ...notes.get(swarmId), [id]: value });
  }

  const load = startLanes(world, name, async (mark, execution, stopped) => {
    const leader = await findAgent(execution, stopped);
    if (leader === undefined) return undefined;
    const swarm = { kind: 'simple', leader, goal: mark, limits: { credits: creditLimit } } as const;
    const accepted = await repeat(() => client.swarms.create(swarm, { idempotencyKey: mark }), stopped);
    if (!accepted) return undefined;
    const people = Array.from({ length: peopleCount }, (_, index) => `person-${index + 1}`);
    await Promise.all(people.map((person) => note(accepted.id, person, stopped)));
    return accepted.id;
  });
  return {
    ...load,
    check: async (turns) => {
      const ids = turns.map(({ id }) => id);
      const swarms = new Map((await readSwarms(world.databaseUrl, ids)).map((swarm) => [swarm.id, swarm]));
      const isNoted = turns.length === 0 || turns.some(({ id }) => notes.has(id));
      return [
        ...(isNoted ? [] : ['no update from outside was accepted']),
        ...turns.flatMap((turn) => findSwarmProblems(turn, swarms.get(turn.id), notes.get(turn.id) ?? {})),
      ];
    },
  };
}

/** An update comes too late when the swarm has ended; after other errors it is sent again. */
function refuseLate(error: unknown): false {
  if (error instanceof HoldfastApiError && error.code === 'CONFLICT') return false;
  throw error;
}
