import { createSwarmRepository } from '../db/swarms/swarm-repository.ts';
import type { SwarmRow } from '../db/swarms/swarm-rows.ts';
import type { Query } from '../db/statement.ts';

/** The rest of the limits of a swarm. */
export interface SwarmBudget {
  turns: number;
  /** Infinity for a swarm without a limit of tokens. */
  tokens: number;
  /** When its time is over, in epoch milliseconds. */
  deadlineAt: number;
}

/** Locks a swarm after the swarms above it, outermost first, which is the order of all who lock several. */
export async function lockWithAbove(query: Query, swarmId: string): Promise<[SwarmRow, ...SwarmRow[]]> {
  const swarms = createSwarmRepository(query);
  const { lineage } = await swarms.getSwarm(swarmId);
  const above: SwarmRow[] = [];
  for (const id of lineage) {
    // A swarm above may have been removed, which ended long before.
    const row = await swarms.lockSwarm(id).catch(() => null);
    if (row) above.push(row);
  }
  return [await swarms.lockSwarm(swarmId), ...above];
}

/** Returns the least of what several swarms have left. */
export function toBudget(rows: readonly SwarmRow[]): SwarmBudget {
  const leasts = rows.map(({ limits, ...row }) => ({
    turns: limits.turns - row.turns_used,
    tokens: limits.tokens === null ? Infinity : limits.tokens - row.tokens_used,
    deadlineAt: row.deadline_at.getTime(),
  }));
  return {
    turns: Math.max(0, Math.min(...leasts.map(({ turns }) => turns))),
    tokens: Math.max(0, Math.min(...leasts.map(({ tokens }) => tokens))),
    deadlineAt: Math.min(...leasts.map(({ deadlineAt }) => deadlineAt)),
  };
}
