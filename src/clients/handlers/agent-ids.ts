import { HoldfastApiError, type Agent, type HoldfastClient } from '../client/index.ts';

const ids = new WeakMap<HoldfastClient, Map<string, Promise<string>>>();

const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns the id of an agent by its name, or the id itself. A name is looked up once for each client.
 * @throws HoldfastApiError `NOT_FOUND` or `CONFLICT` when no agent or several have the name; the message lists them
 */
export function findAgentId(holdfast: HoldfastClient, agent: string): Promise<string> {
  if (idPattern.test(agent)) return Promise.resolve(agent);
  const known = ids.get(holdfast) ?? new Map<string, Promise<string>>();
  ids.set(holdfast, known);
  const found = known.get(agent) ?? lookUp(holdfast, agent);
  known.set(agent, found);
  found.catch(() => known.delete(agent));
  return found;
}

/** Has the name looked up again. */
export function forgetAgentId(holdfast: HoldfastClient, agent: string): void {
  ids.get(holdfast)?.delete(agent);
}

async function lookUp(holdfast: HoldfastClient, name: string): Promise<string> {
  const agents = await listAgents(holdfast);
  const found = agents.filter((agent) => agent.name === name);
  const [only] = found;
  if (only && found.length === 1) return only.id;
  if (only) {
    const all = found.map(({ id }) => id).join(', ');
    throw new HoldfastApiError(
      'CONFLICT',
      `${found.length} agents have the name "${name}": ${all}. Give the id of one.`,
    );
  }
  throw new HoldfastApiError('NOT_FOUND', `No agent has the name "${name}". There are ${toList(agents)}.`);
}

async function listAgents(holdfast: HoldfastClient): Promise<Agent[]> {
  const agents: Agent[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await holdfast.agents.list({ limit: 100, ...(cursor ? { cursor } : {}) });
    agents.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return agents;
}

const mostNamed = 20;

function toList(agents: Agent[]): string {
  const names = agents.slice(0, mostNamed).map(({ name }) => `"${name}"`);
  const rest = agents.length - names.length;
  return names.length === 0 ? 'none' : names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
