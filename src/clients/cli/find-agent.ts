import type { Agent, HoldfastClient } from '../client/index.ts';
import { HoldfastError } from '../../domain/errors.ts';
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
  if (wanted === undefined) {
    throw new HoldfastError('NOT_FOUND', 'There is no agent yet: make one with POST /api/agents.');
  }
  throw notFound(wanted, agents);
}

/**
 * Returns the agent with that id or name, for a command that changes it.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` that lists the ids when several agents have the name
 */
export async function findOneAgent(client: HoldfastClient, wanted: string): Promise<Agent> {
  const agents = await readAll((page) => client.agents.list(page));
  const matches = [
    agents.filter(({ id }) => id === wanted),
    agents.filter(({ name }) => name === wanted),
    agents.filter(({ name }) => isSame(name, wanted)),
  ];
  const found = matches.find((some) => some.length > 0) ?? [];
  const [agent] = found;
  if (!agent) throw notFound(wanted, agents);
  if (found.length === 1) return agent;
  const ids = found.map(({ id }) => id).join(', ');
  throw new HoldfastError(
    'CONFLICT',
    `${found.length} agents have the name ${JSON.stringify(wanted)}. Give the id of one of them: ${ids}.`,
  );
}

function notFound(wanted: string, agents: Agent[]): HoldfastError {
  const names = agents.map(({ name }) => JSON.stringify(name)).join(', ');
  return new HoldfastError(
    'NOT_FOUND',
    `No agent has the id or name ${JSON.stringify(wanted)}. There ${names === '' ? 'is none yet' : `are: ${names}`}.`,
  );
}

function isSame(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
