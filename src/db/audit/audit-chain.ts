import type { Knex } from 'knex';

/** The kinds of damage of a chain. */
type ChainFault = 'changed' | 'missing' | 'reordered' | 'cut_off';

/** One damaged place of a chain. */
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

/** Verifies the audit chains of all workspaces; needs the system database. */
export function createAuditChain(system: Knex) {
  return {
    /** The workspaces that have a chain, or have had one. */
    listWorkspaces: async (): Promise<string[]> => {
      const { rows } = await system.raw<{ rows: { id: string }[] }>(
        `SELECT workspace_id AS id FROM audit_heads UNION SELECT workspace_id FROM audit_events ORDER BY id`,
      );
      return rows.map(({ id }) => id);
    },

    /** Computes every hash of the chain of one workspace again, inside the database. */
    verify: async (workspaceId: string): Promise<ChainReport> => {
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
 * missing. The head holds the length of the chain, so that a missing end is found too.
 */
const verifyChain = `
WITH links AS (
  SELECT seq, hash, previous_hash,
    lag(seq, 1, 0::bigint) OVER chain AS seq_before,
    lag(hash, 1, '\\x00'::bytea) OVER chain AS hash_before,
    sha256(previous_hash || convert_to(jsonb_build_array(workspace_id, seq, id, type, subject_id, payload,
      extract(epoch FROM created_at))::text, 'UTF8')) AS computed
  FROM audit_events WHERE workspace_id = :workspaceId
  WINDOW chain AS (ORDER BY seq)
), head AS (
  SELECT seq, hash FROM audit_heads WHERE workspace_id = :workspaceId
), newest AS (
  SELECT seq, hash FROM links ORDER BY seq DESC LIMIT 1
), faults AS (
  SELECT seq, CASE WHEN hash <> computed THEN 'changed' WHEN seq <> seq_before + 1 THEN 'missing'
    ELSE 'reordered' END AS fault
  FROM links WHERE hash <> computed OR seq <> seq_before + 1 OR previous_hash <> hash_before
  UNION ALL
  SELECT coalesce(newest.seq, 0) + 1, 'cut_off' FROM head FULL JOIN newest ON true
  WHERE head.seq IS DISTINCT FROM newest.seq OR head.hash IS DISTINCT FROM newest.hash
)
SELECT (SELECT count(*) FROM links) AS events, (SELECT hash FROM newest) AS head,
  (SELECT jsonb_agg(jsonb_build_object('seq', seq, 'fault', fault) ORDER BY seq)
   FROM (SELECT * FROM faults ORDER BY seq LIMIT :mostFaults) first_faults) AS faults`;
