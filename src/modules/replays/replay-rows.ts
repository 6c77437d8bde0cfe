import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import type { Replay, ReplayInput, ReplayStatus } from '../../domain/replay.ts';

/** A row of `replays`, without its summary. */
export interface ReplayRow {
  id: string;
  workspace_id: string;
  name: string;
  status: ReplayStatus;
  input: ReplayInput;
  started_by: ActorRef | null;
  changed_by: ActorRef | null;
  cases: number | null;
  done_runs: number;
  failed_runs: number;
  spent_tokens: number;
  spent_usd: number;
  error: ErrorInfo | null;
  created_at: Date;
  settled_at: Date | null;
}

/** The columns of {@link ReplayRow}. */
export const replayColumns =
  'id, workspace_id, name, status, input, started_by, changed_by, cases, done_runs, failed_runs, spent_tokens, spent_usd, error, ' +
  'created_at, settled_at';

/** A replay with its makers: its starter, and the last one who changed the schedule that has started it. */
export interface MadeReplay extends Replay {
  makers: (ActorRef | null)[];
}

export function toMadeReplay(row: ReplayRow): MadeReplay {
  return { ...toReplay(row), makers: [row.started_by, row.changed_by] };
}

/** A replay as the API shows it. */
export function toReplay(row: ReplayRow): Replay {
  const total = row.cases === null ? null : row.cases * countRunsOfCase(row.input);
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    input: row.input,
    cases: row.cases,
    runs: { total, done: row.done_runs, failed: row.failed_runs },
    spent: { tokens: row.spent_tokens, costUsd: row.spent_usd },
    startedBy: row.started_by,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

/** Returns how often each case is run. */
function countRunsOfCase({ baseline, repeats }: Pick<ReplayInput, 'baseline' | 'repeats'>): number {
  return (baseline ? 2 : 1) * repeats;
}

/** The error of a replay id that the workspace does not have. */
export function replayNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no replay ${id}.`);
}
