import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { isAfter } from './change-conditions.ts';
import type { Change, ChangeType } from './change.ts';
import type { ChangeCursor } from './change-cursor.ts';

/** The maximum number of changes of one read. A reader that has missed more reads everything anew. */
export const mostChanges = 1_000;

/** The notes that a reader has not got, and its position after them. */
export interface ChangeRead {
  cursor: ChangeCursor;
  /** False when notes after the cursor may be missing: they were removed, or are too many. */
  isComplete: boolean;
  changes: Change[];
}

interface ReadValues {
  epoch: string | null;
  snapshot: string | null;
  types: ChangeType[];
  person: string | null;
  most: number;
}

interface ChangeRow {
  epoch: string;
  snapshot: string;
  isKept: boolean;
  type: ChangeType | null;
  id: string;
  status: string;
  conversationId: string | null;
  createdAt: Date;
}

/** Reads the notes of one workspace. */
export function createChangeRepository(query: Query) {
  return {
    /**
     * Reads the notes of these types that were committed after the cursor, in an order that keeps that of each thing; none
     * without a cursor. Of messages only those to `person`, when there is one.
     */
    readChanges: async (
      after: ChangeCursor | undefined,
      { types, person }: Pick<ReadValues, 'types' | 'person'>,
    ): Promise<ChangeRead> => {
      const { epoch = null, snapshot = null } = after ?? {};
      const [, rows] = await Promise.all([
        query(openLog, {}),
        query(readChanges, { epoch, snapshot, types, person, most: mostChanges + 1 }),
      ]);
      const [first] = rows;
      if (!first) throw new Error('the log of changes was removed while it was read');
      const changes = rows.flatMap((row) => (row.type === null ? [] : [toChange(row, row.type)]));
      const isComplete = first.isKept && changes.length <= mostChanges;
      const cursor = { epoch: first.epoch, snapshot: first.snapshot };
      return { cursor, isComplete, changes: isComplete ? changes : [] };
    },
  };
}

/** Changes nothing while there is a log. */
const openLog = defineStatement<object, unknown>(
  'open_change_log',
  'INSERT INTO change_log DEFAULT VALUES ON CONFLICT DO NOTHING',
);

/**
 * One statement, so that its own snapshot is the next cursor: a note is new when this snapshot shows its transaction and the
 * one of the cursor does not, whatever the order of commits. The log is complete when no transaction that the cursor does not
 * show can have notes that were removed. In a database that was restored, transactions of cursors and notes may be those of
 * another cluster, which are ahead.
 */
const readChanges = defineStatement<ReadValues, ChangeRow>(
  'read_changes',
  `SELECT log.epoch, log.snapshot::text, log."isKept", c.type, c.subject_id AS id, c.status,
     c.conversation_id AS "conversationId", c.created_at AS "createdAt"
   FROM (
     SELECT epoch, pg_current_snapshot() AS snapshot, coalesce(epoch = :epoch::text
       AND pg_snapshot_xmax(:snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
       AND pruned < pg_snapshot_xmax(:snapshot::pg_snapshot) AND NOT EXISTS (
         SELECT FROM pg_snapshot_xip(:snapshot::pg_snapshot) AS running (xid)
         WHERE running.xid <= pruned AND pg_visible_in_snapshot(running.xid, pg_current_snapshot())
       ), false) AS "isKept"
     FROM change_log
   ) AS log LEFT JOIN LATERAL (
     SELECT * FROM changes
     WHERE log."isKept" AND workspace_id = current_workspace() AND ${isAfter(':snapshot::pg_snapshot')}
       AND pg_visible_in_snapshot(xid, log.snapshot)
       AND type = ANY (:types::text[])
       AND (:person::text IS NULL OR type <> 'inbox_message'
         OR EXISTS (SELECT FROM inbox_messages m WHERE m.id = subject_id AND m.person = :person::text))
     ORDER BY id LIMIT :most
   ) AS c ON true ORDER BY c.id`,
);

function toChange({ id, status, conversationId, createdAt }: ChangeRow, type: ChangeType): Change {
  return { type, id, status, conversationId, at: createdAt.toISOString() };
}
