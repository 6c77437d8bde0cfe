import type { Knex } from 'knex';
import { isDue } from '../../platform/work/sweep-lease.ts';

/** How long a turn that waits for people rests after a sweep, unless it should have continued, in milliseconds. */
export const waitingRestMs = 60 * 60_000;

/** A turn that waits for people. */
export interface WaitingTurn {
  id: string;
  workspaceId: string;
  restarts: number;
  timeLeftMs: number;
  isCancelled: boolean;
  /** An action that was decided or has ended, and that the turn has not taken up; null when there is none. */
  decidedId: string | null;
}

/** How long ago something must have happened, in milliseconds, and how many turns are listed. */
interface WaitingWindow {
  graceMs: number;
  limit: number;
}

/**
 * Lists turns of all workspaces that wait for people: first those with a decided or expired action, which should have
 * continued, then each other one once an hour, the least recently checked first.
 */
export async function listWaitingTurns(
  system: Knex,
  { graceMs, limit }: WaitingWindow,
): Promise<WaitingTurn[]> {
  const { rows } = await system.raw<{ rows: WaitingTurn[] }>(
    `SELECT t.id, t.workspace_id AS "workspaceId", t.restarts, t.time_left_ms AS "timeLeftMs", ready.id AS "decidedId",
       t.cancel_requested_at IS NOT NULL AS "isCancelled"
     FROM turns t LEFT JOIN LATERAL (
       SELECT a.id FROM pending_actions a JOIN tool_calls c ON c.id = a.tool_call_id
       WHERE a.turn_id = t.id AND c.ended_at IS NULL
         AND NOT EXISTS (SELECT FROM pending_actions other WHERE other.tool_call_id = a.tool_call_id
           AND other.id <> a.id AND other.status = 'pending' AND other.expires_at > now())
         AND coalesce(a.decided_at, a.expires_at) < now() - make_interval(secs => :graceMs / 1000.0)
       LIMIT 1
     ) ready ON true
     WHERE t.status = 'waiting_for_approval'
       AND (ready.id IS NOT NULL OR t.cancel_requested_at < now() - make_interval(secs => :graceMs / 1000.0)
         OR ${isDue('t.swept_at', waitingRestMs)})
     ORDER BY ready.id IS NULL, t.swept_at NULLS FIRST LIMIT :limit`,
    { graceMs, limit },
  );
  return rows;
}
