import type { StoredSubtask } from './tasks/subtask-rows.ts';
import type { SwarmRow } from './swarm-rows.ts';
import type { OpenSwarmTurn } from './turns/swarm-turn-repository.ts';
import { subtaskStatuses, type SubtaskStatus } from '../../domain/swarm.ts';
import { toOneLine } from '../../domain/text.ts';
import type { SwarmProgress } from './swarm-contract.ts';
import type { SwarmBudget } from './swarm-budget.ts';

/** The most subtasks that are named. */
const mostNamed = 10;

interface ShownSwarm {
  row: SwarmRow;
  budget: SwarmBudget;
  subtasks: readonly StoredSubtask[];
  open: readonly OpenSwarmTurn[];
}

/** Returns how far a swarm is. */
export function toProgress({ row, budget, subtasks, open }: ShownSwarm): SwarmProgress {
  const of = (status: SubtaskStatus) => subtasks.filter((each) => each.status === status);
  const name = (status: SubtaskStatus) =>
    of(status)
      .slice(0, mostNamed)
      .map(({ id }) => id);
  const counts = subtaskStatuses.map((status) => [status, of(status).length] as const);
  return {
    goal: toOneLine(row.goal),
    ...{ status: row.status, reason: row.reason },
    subtasks: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    ...{ running: name('in_progress'), failed: name('failed') },
    leaderRuns: open.some(({ subtaskId }) => subtaskId === null),
    ...{ turnsUsed: row.turns_used, turnsLeft: budget.turns },
  };
}
