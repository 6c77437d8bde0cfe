import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import { toSettleReserveMs } from '../../../domain/limits.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { defineStatement } from '../../../platform/database/statement.ts';
import { unowned } from '../turn-rows.ts';

/** A worker that has not renewed its lease for so long has lost its turns, in milliseconds. */
export const leaseMs = 3_000;

/** How long a turn may wait for a worker to take it before it gets a workflow, in milliseconds. */
const offerMs = 2_000;

/** The least time that a workflow gets for the rest of a turn, in milliseconds. */
export const leastTimeMs = 1_000;

/** The maximum number of turns that one look takes over. */
const mostTaken = 100;

/** A turn whose worker is lost, or that no worker has taken. */
export interface LostTurn {
  id: string;
  workspaceId: string;
  /** The time that its steps have left, in milliseconds. */
  timeLeftMs: number;
}

/** The turns that `takeLost` leaves alone because their worker has them in hand. */
interface KnownTurns {
  /** The turns that it runs. */
  running: string[];
  /** The turns that it has taken before and that still have no workflow. */
  taken: string[];
  /** Whether a worker without a lease is lost. After a crash of Postgres no worker has one for a while. */
  takesUnknown: boolean;
}

/** A turn of a worker that should stop: its worker has lost it, or it was asked to stop. */
export interface StoppedTurn {
  id: string;
  isLost: boolean;
}

/** The turns that run without a workflow, of all workspaces, as one worker sees them. */
export function createDirectTurnRepository(
  { storeUnsynced }: Pick<Database, 'storeUnsynced'>,
  owner: string,
) {
  return {
    /** Takes a turn that no worker has. False when another worker has it, or when it has a workflow. */
    claim: async ({ turnId }: Pick<AgentTurnInput, 'turnId'>): Promise<boolean> =>
      (await storeUnsynced(claim, { owner, id: turnId })).length > 0,

    /** Notes that a turn of this worker has a workflow. */
    release: (turnId: string) => storeUnsynced(release, { owner, id: turnId }),

    renewLease: () => storeUnsynced(renewLease, { owner }),

    /**
     * Makes turns this worker's own that no worker runs: their worker has lost its lease, none has taken them, or they are this
     * worker's own and it does not run them. Turns past their deadline count as lost. The time since their worker was alive is
     * added to the time of a turn; a turn whose worker has no lease gets its whole time. No process holds them from then on.
     */
    takeLost: async (known: KnownTurns): Promise<LostTurn[]> => {
      const rows = await storeUnsynced(takeLost, { owner, ...known });
      return rows.map(({ id, workspaceId, leftMs, timeoutMs }) => {
        const timeLeftMs = Math.max(leastTimeMs, Math.round(leftMs - toSettleReserveMs(timeoutMs)));
        return { id, workspaceId, timeLeftMs };
      });
    },

    /** Lists those of some turns that should stop. */
    listStopped: (ids: string[]): Promise<StoppedTurn[]> =>
      ids.length === 0 ? Promise.resolve([]) : storeUnsynced(listStopped, { owner, ids }),
  };
}

export type DirectTurnRepository = ReturnType<typeof createDirectTurnRepository>;

const claim = defineStatement<{ owner: string; id: string }, { id: string }>(
  'claim_direct_turn',
  `UPDATE turns SET direct_owner = :owner::uuid, held_by = :owner::uuid
   WHERE id = :id::uuid AND status = 'running' AND direct_owner = '${unowned}' RETURNING id`,
);

const release = defineStatement<{ owner: string; id: string }, never>(
  'release_direct_turn',
  'UPDATE turns SET direct_owner = NULL WHERE id = :id::uuid AND direct_owner = :owner::uuid',
);

const renewLease = defineStatement<{ owner: string }, never>(
  'renew_lease_of_direct_turns',
  `INSERT INTO direct_workers (id, alive_at) VALUES (:owner::uuid, now())
   ON CONFLICT (id) DO UPDATE SET alive_at = EXCLUDED.alive_at`,
);

interface TakenRow {
  id: string;
  workspaceId: string;
  leftMs: number;
  timeoutMs: number;
}

const milliseconds = (span: number) => `interval '${span} ms'`;

const takeLost = defineStatement<KnownTurns & { owner: string }, TakenRow>(
  'take_lost_direct_turns',
  `WITH lost AS (
     SELECT t.id, w.alive_at FROM turns t LEFT JOIN direct_workers w ON w.id = t.direct_owner
     WHERE t.direct_owner IS NOT NULL AND t.status IN ('running', 'waiting_for_approval') AND CASE
       WHEN t.id = ANY (:taken::uuid[]) THEN false
       WHEN t.direct_owner = '${unowned}' THEN t.started_at < now() - ${milliseconds(offerMs)}
         AND t.started_at > now() - make_interval(secs => t.start_timeout_ms / 1000.0)
       WHEN t.status = 'running' AND t.deadline_at < now() THEN true
       WHEN t.direct_owner = :owner::uuid THEN t.id <> ALL (:running::uuid[])
       WHEN w.id IS NULL THEN :takesUnknown::boolean
       ELSE w.alive_at < now() - ${milliseconds(leaseMs)} END
     LIMIT ${mostTaken} FOR UPDATE OF t SKIP LOCKED
   )
   UPDATE turns t SET direct_owner = :owner::uuid, held_by = NULL, deadline_at = CASE WHEN lost.alive_at IS NULL
     THEN now() + make_interval(secs => t.timeout_ms / 1000.0)
     ELSE t.deadline_at + greatest(now() - lost.alive_at, interval '0') END
   FROM lost WHERE t.id = lost.id
   RETURNING t.id, t.workspace_id AS "workspaceId", t.timeout_ms AS "timeoutMs",
     (extract(epoch FROM t.deadline_at - now()) * 1000)::float8 AS "leftMs"`,
);

const listStopped = defineStatement<{ owner: string; ids: string[] }, StoppedTurn>(
  'list_stopped_direct_turns',
  `SELECT id, direct_owner IS DISTINCT FROM :owner::uuid AS "isLost" FROM turns
   WHERE id = ANY (:ids::uuid[]) AND (direct_owner IS DISTINCT FROM :owner::uuid OR cancel_requested_at IS NOT NULL)`,
);
