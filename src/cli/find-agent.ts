import type { Agent, HoldfastClient } from '../client/index.ts';
import { HoldfastError } from '../domain/errors.ts';
import { readAll } from './pages.ts';

/** The name of the agent that the first `npm start` creates. */
const demoAgentName = 'Demo agent';

/**
 * Returns the agent with that id or name; without one given, the demo agent or else the first agent.
 * @throws HoldfastError `NOT_FOUND` that lists the existing agents
 */
export async function findAgent(client: HoldfastClient, wanted?: string): Promise<Agent> {
  const agents = await readAll((page) => client.agents.list(page));
  const agent =
    wanted === undefined
      ? (agents.findLast(({ name }) => name === demoAgentName) ?? agents.at(-1))
      : (agents.find(({ id }) => id === wanted) ?? agents.find(({ name }) => isSame(name, wanted)));
  if (agent) return agent;
  const names = agents.map(({ name }) => JSON.stringify(name)).join(', ');
  if (wanted === undefined) {
    throw new HoldfastError('NOT_FOUND', 'There is no agent yet: make one with POST /api/agents.');
  }
  throw new HoldfastError(
    'NOT_FOUND',
    `No agent has the id or name ${JSON.stringify(wanted)}. There ${names === '' ? 'is none yet' : `are: ${names}`}.`,
  );
}

function isSame(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
