import type { ErrorInfo } from '../../../domain/errors.ts';
import type { Subtask, SubtaskStatus } from '../../../domain/swarm.ts';

/** A subtask with the fields that the swarm alone uses. */
export interface StoredSubtask extends Subtask {
  /** Its position in the order in which subtasks were set. */
  position: number;
  /** How often it was begun since it was last set to `todo`. */
  tries: number;
  /** Whether the leader was notified of its end. */
  isReported: boolean;
}

/** A row of `swarm_subtasks`. */
export interface SubtaskRow {
  id: string;
  position: number;
  description: string;
  assignee: string;
  depends_on: string[];
  priority: Subtask['priority'];
  status: SubtaskStatus;
  attempts: number;
  tries: number;
  result: string | null;
  error: ErrorInfo | null;
  turn_id: string | null;
  is_told: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export function toStoredSubtask({ is_told: isReported, ...row }: SubtaskRow): StoredSubtask {
  return {
    ...row,
    isReported,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** A subtask as agents and callers see it. */
export function toSubtask(stored: StoredSubtask): Subtask {
  const { id, description, assignee, depends_on, priority, status, attempts, result, error, ...times } =
    stored;
  const { turn_id, created_at, started_at, ended_at } = times;
  return {
    ...{ id, description, assignee, depends_on, priority, status, attempts, result, error },
    ...{ turn_id, created_at, started_at, ended_at },
  };
}

/** The row of a subtask for a statement that stores it. */
export function toSubtaskValues({ isReported, ...subtask }: StoredSubtask): object {
  return { ...subtask, is_told: isReported };
}
