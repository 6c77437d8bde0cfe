import type { Knex } from 'knex';

/** The kinds of damage: of a chain, and of events that waited to be appended to it. */
export const chainFaults = [
  ...(['changed', 'missing', 'reordered', 'cut_off'] as const),
  ...(['waiting_changed', 'waiting_missing', 'waiting_cut_off'] as const),
] as const;
export type ChainFault = (typeof chainFaults)[number];

/** One damaged event of a chain. `seq` of an event that waited is the number under which it waited. */
interface BrokenLink {
  seq: number;
  fault: ChainFault;
}

/** The result of verifying the chain of one workspace. */
export interface ChainReport {
  workspaceId: string;
  events: number;
  /** The hash of the newest event in hex. A copy of it elsewhere proves later that no earlier event was replaced. */
  head: string | null;
  /** At most twenty, in the order of `seq`. */
  faults: BrokenLink[];
}

const mostFaults = 20;

/** The maximum number of events that one transaction moves into the chain. */
const eventsPerBatch = 1000;

/**
 * Moves the events of a workspace that were committed until now into its chain. Events wait for that in `audit_pending`,
 * so that the transactions that write them do not wait for each other.
 */
export async function chainPendingEvents(db: Knex, workspaceId: string): Promise<void> {
  for (;;) {
    const { rows } = await db.raw<{ rows: { moved: number }[] }>('SELECT chain_audit_events(?, ?) AS moved', [
      workspaceId,
      eventsPerBatch,
    ]);
    if ((rows[0]?.moved ?? 0) < eventsPerBatch) return;
  }
}

/** Verifies the audit chains of all workspaces; needs the system database. */
export function createAuditChain(system: Knex) {
  return {
    /** The workspaces that have a chain, or have had one. */
    listWorkspaces: async (): Promise<string[]> => {
      const { rows } = await system.raw<{ rows: { id: string }[] }>(
        `SELECT workspace_id AS id FROM audit_heads UNION SELECT workspace_id FROM audit_events
         UNION SELECT workspace_id FROM audit_lanes ORDER BY id`,
      );
      return rows.map(({ id }) => id);
    },

    /** Computes every hash of the chain of one workspace again, inside the database, after it was brought up to date. */
    verify: async (workspaceId: string): Promise<ChainReport> => {
      await chainPendingEvents(system, workspaceId);
      const { rows } = await system.raw<{ rows: SummaryRow[] }>(verifyChain, { workspaceId, mostFaults });
      const [row] = rows;
      return {
        workspaceId,
        events: row?.events ?? 0,
        head: row?.head?.toString('hex') ?? null,
        faults: row?.faults ?? [],
      };
    },

    /** The newest hash of each chain, in hex, and the `seq` of its event. */
    listHeads: async (): Promise<{ workspaceId: string; seq: number; head: string }[]> => {
      const rows = await system('audit_heads')
        .orderBy('workspace_id')
        .select<{ workspace_id: string; seq: number; hash: Buffer }[]>('workspace_id', 'seq', 'hash');
      return rows.map(({ workspace_id: workspaceId, seq, hash }) => ({
        workspaceId,
        seq,
        head: hash.toString('hex'),
      }));
    },

    /** Finds the event that has a hash, in the chain of any workspace. */
    findHash: async (hash: Buffer): Promise<{ workspaceId: string; seq: number } | null> => {
      const row = await system('audit_events')
        .where({ hash })
        .first<{ workspace_id: string; seq: number } | undefined>('workspace_id', 'seq');
      return row ? { workspaceId: row.workspace_id, seq: row.seq } : null;
    },
  };
}

interface SummaryRow {
  events: number;
  head: Buffer | null;
  faults: BrokenLink[] | null;
}

/**
 * A row with a wrong hash was changed. A row that does not follow the one before it was moved, or a row between them is
 * missing. The head holds the length of the chain, so that a missing end is found too. The same holds for each lane of
 * events that wait.
 */
const verifyChain = `
WITH links AS (
  SELECT seq, hash, previous_hash,
    lag(seq, 1, 0::bigint) OVER chain AS seq_before,
    lag(hash, 1, '\\x00'::bytea) OVER chain AS hash_before,
    audit_hash(previous_hash, workspace_id, seq, id, type, subject_id, payload, created_at) AS computed
  FROM audit_events WHERE workspace_id = :workspaceId
  WINDOW chain AS (ORDER BY seq)
), head AS (
  SELECT seq, hash FROM audit_heads WHERE workspace_id = :workspaceId
), newest AS (
  SELECT seq, hash FROM links ORDER BY seq DESC LIMIT 1
), waiting AS (
  SELECT c.* FROM check_pending_audit_events(
    ARRAY(SELECT p FROM audit_pending p WHERE p.workspace_id = :workspaceId)) c
), lane_ends AS (
  SELECT DISTINCT ON (lane) lane, position, hash FROM (
    SELECT lane, position, hash FROM waiting UNION ALL
    SELECT lane, position, hash FROM audit_lanes_chained WHERE workspace_id = :workspaceId
  ) places ORDER BY lane, position DESC
), lanes AS (
  SELECT lane, position, hash FROM audit_lanes WHERE workspace_id = :workspaceId
), faults AS (
  SELECT seq, CASE WHEN hash <> computed THEN 'changed' WHEN seq <> seq_before + 1 THEN 'missing'
    ELSE 'reordered' END AS fault
  FROM links WHERE hash <> computed OR seq <> seq_before + 1 OR previous_hash <> hash_before
  UNION ALL
  SELECT coalesce(newest.seq, 0) + 1, 'cut_off' FROM head FULL JOIN newest ON true
  WHERE head.seq IS DISTINCT FROM newest.seq OR head.hash IS DISTINCT FROM newest.hash
  UNION ALL
  SELECT number, fault FROM waiting WHERE fault IS NOT NULL
  UNION ALL
  SELECT fault_number, fault FROM audit_lanes_chained WHERE workspace_id = :workspaceId AND fault IS NOT NULL
  UNION ALL
  SELECT lane, 'waiting_cut_off' FROM lanes FULL JOIN lane_ends USING (lane)
  WHERE lanes.position IS DISTINCT FROM lane_ends.position OR lanes.hash IS DISTINCT FROM lane_ends.hash
)
SELECT (SELECT count(*) FROM links) AS events, (SELECT hash FROM newest) AS head,
  (SELECT jsonb_agg(jsonb_build_object('seq', seq, 'fault', fault) ORDER BY seq)
   FROM (SELECT * FROM faults ORDER BY seq LIMIT :mostFaults) first_faults) AS faults`;
