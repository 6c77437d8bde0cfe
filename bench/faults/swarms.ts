import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { AcceptedTurn } from './accepted-turns.ts';
import { plannedSubtasks, toSubtaskOrder } from './swarm-plan.ts';

/** The price of each call of the model, in credits. */
export const creditsOfCall = 1_000;

/** The turns of a swarm: one for each subtask, and two of the leader, which plans and gets the results. */
const turnCount = Object.keys(plannedSubtasks).length + 2;

/** The calls of the model in these turns: the last turn of the leader has one, all others two. */
const callCount = 2 * turnCount - 1;

/** A subtask as it is stored. */
export interface StoredSubtask {
  id: string;
  status: string;
  attempts: number;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** A swarm as it is stored, with what its calls have cost. */
export interface StoredSwarm {
  id: string;
  status: string;
  turnsUsed: number;
  creditsUsed: string;
  subtasks: StoredSubtask[];
  blackboard: Record<string, unknown>;
  /** The calls of models whose costs are settled. */
  settledCalls: number;
  /** Whether its limit of credits is still among the budgets. */
  hasLimit: boolean;
}

/** Reads swarms with their shared state. */
export async function readSwarms(databaseUrl: string, swarmIds: string[]): Promise<StoredSwarm[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<StoredSwarm & { items: [string, unknown][] }>(
      `SELECT s.id, s.status, s.turns_used AS "turnsUsed", s.credits_used AS "creditsUsed",
         ARRAY(SELECT jsonb_build_array(b.id, b.value) FROM swarm_blackboard b WHERE b.swarm_id = s.id) AS items,
         (SELECT count(*)::int FROM credit_entries c WHERE c.swarm_id = s.id AND c.status = 'settled' AND c.kind = 'model')
           AS "settledCalls",
         EXISTS (SELECT FROM budgets b WHERE b.scope = 'swarm' AND b.subject = s.id::text) AS "hasLimit"
       FROM swarms s WHERE s.id = ANY($1)`,
      [swarmIds],
    );
    const { rows: subtasks } = await client.query<StoredSubtask & { swarmId: string }>(
      `SELECT swarm_id AS "swarmId", id, status, attempts, started_at AS "startedAt", ended_at AS "endedAt"
       FROM swarm_subtasks WHERE swarm_id = ANY($1)`,
      [swarmIds],
    );
    return rows.map(({ items, ...swarm }) => ({
      ...swarm,
      subtasks: subtasks.filter(({ swarmId }) => swarmId === swarm.id),
      blackboard: Object.fromEntries(items),
    }));
  } finally {
    await client.end();
  }
}

/**
 * Compares a swarm with its plan: every subtask was done once and after those that it depends on, all updates of the state
 * are there, and every call of the model was paid once. Returns what is wrong, in words.
 */
export function findSwarmProblems(
  { order: mark, id: swarmId }: Pick<AcceptedTurn, 'order' | 'id'>,
  swarm: StoredSwarm | undefined,
  notes: Record<string, unknown>,
): string[] {
  if (!swarm) return [`there is no swarm ${swarmId}`];
  const { status, subtasks, turnsUsed, settledCalls, creditsUsed, hasLimit } = swarm;
  const ids = Object.keys(plannedSubtasks);
  const expected = { ...Object.fromEntries(ids.map((id) => [id, toSubtaskOrder(mark, id)])), ...notes };
  const lost = Object.keys(expected).filter((id) => !isDeepStrictEqual(swarm.blackboard[id], expected[id]));
  const credits = Number(creditsUsed);
  return [
    ...(status === 'completed' ? [] : [`the swarm is ${status}`]),
    ...ids.flatMap((id) => findSubtaskProblems(id, subtasks)),
    ...(subtasks.length === ids.length ? [] : [`${subtasks.length} subtasks`]),
    ...(lost.length === 0 ? [] : [`the updates of ${lost.join()} are lost`]),
    ...(turnsUsed === turnCount ? [] : [`${turnsUsed} turns, expected ${turnCount}`]),
    ...(settledCalls === callCount ? [] : [`${settledCalls} calls were paid, expected ${callCount}`]),
    ...(credits === callCount * creditsOfCall ? [] : [`${credits} credits were counted`]),
    ...(hasLimit ? ['its limit of credits is left'] : []),
  ].map((problem) => `${mark}: ${problem}`);
}

function findSubtaskProblems(id: string, subtasks: StoredSubtask[]): string[] {
  const found = subtasks.find((one) => one.id === id);
  if (!found) return [`there is no subtask ${id}`];
  const { status, attempts, startedAt } = found;
  const early = (plannedSubtasks[id] ?? []).filter((before) => {
    const endedAt = subtasks.find((one) => one.id === before)?.endedAt ?? null;
    return startedAt === null || endedAt === null || startedAt < endedAt;
  });
  return [
    ...(status === 'done' && attempts === 1 ? [] : [`${id} is ${status} after ${attempts} attempts`]),
    ...early.map((before) => `${id} began before ${before} had ended`),
  ];
}
