import { isInside, isolateTable } from '../isolate.ts';

/**
 * Notes of what has changed in a workspace, which readers get in the order of their commits: see
 * decision 83 in docs/decisions/streams.md. Both tables are unlogged: after a crash of Postgres they are empty, and the
 * next reader begins a log of another epoch.
 */
const tables = `
CREATE UNLOGGED TABLE change_log (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  epoch text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 12),
  -- The newest transaction of which notes were removed because of their age.
  pruned xid8 NOT NULL DEFAULT '0'
);
GRANT SELECT, INSERT ON change_log TO holdfast_app;
GRANT SELECT, INSERT, UPDATE ON change_log TO holdfast_system;

-- The sequence is logged: ids of one thing grow with each of its changes, also after a crash.
CREATE SEQUENCE change_ids;
GRANT USAGE ON SEQUENCE change_ids TO holdfast_app, holdfast_system;
CREATE UNLOGGED TABLE changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL DEFAULT nextval('change_ids'),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  type text NOT NULL,
  subject_id uuid NOT NULL,
  status text NOT NULL,
  conversation_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (xid, id)
);
CREATE INDEX ON changes (workspace_id, xid);
`;

/** The tables whose rows a person sees only in part. */
const seenInPart: Record<string, string> = {
  turn: 'turns',
  action: 'pending_actions',
  routine_run: 'routine_runs',
  swarm: 'swarms',
  schedule_run: 'schedule_runs',
  trigger_delivery: 'trigger_deliveries',
  webhook_delivery: 'webhook_deliveries',
};

const isSeen = Object.entries(seenInPart)
  .map(([type, table]) => `WHEN '${type}' THEN ${isInside(table, 'changes.subject_id')}`)
  .join(' ');

/** For reads alone: a person may change what the person then no longer sees. */
const people = `
CREATE POLICY seen_by_person ON changes AS RESTRICTIVE FOR SELECT TO holdfast_app
  USING ((SELECT current_person()) IS NULL OR CASE type ${isSeen} ELSE true END);
`;

/** A table whose status pages show. */
interface NotedTable {
  table: string;
  /** The name of its rows in notes. */
  type: string;
  /** Expressions about the row `NEW`; by default its status, and no conversation. */
  status?: string;
  conversation?: string;
  /** The column that holds the status. @default 'status' */
  column?: string;
  /** A condition for the note of a new row. @default each */
  inserted?: string;
}

const noted: NotedTable[] = [
  // Imported turns and the turns that a fork copies are over when they are inserted.
  {
    table: 'turns',
    type: 'turn',
    conversation: 'NEW.conversation_id',
    inserted: 'NEW.settled_at IS NULL',
  },
  { table: 'pending_actions', type: 'action', conversation: 'NEW.conversation_id' },
  { table: 'routine_runs', type: 'routine_run', conversation: 'NEW.conversation_id' },
  { table: 'swarms', type: 'swarm', conversation: 'NEW.parent_conversation_id' },
  { table: 'schedule_runs', type: 'schedule_run', conversation: 'NEW.conversation_id' },
  { table: 'trigger_deliveries', type: 'trigger_delivery', conversation: 'NEW.conversation_id' },
  { table: 'replays', type: 'replay' },
  { table: 'documents', type: 'document' },
  { table: 'webhook_deliveries', type: 'webhook_delivery' },
  {
    table: 'inbox_messages',
    type: 'inbox_message',
    column: 'read_at',
    status: `CASE WHEN NEW.read_at IS NULL THEN 'unread' ELSE 'read' END`,
  },
];

function noteChanges({ table, type, column = 'status', inserted, ...row }: NotedTable): string {
  const { status = 'NEW.status', conversation = 'NULL' } = row;
  return `
CREATE FUNCTION note_${type}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (workspace_id, type, subject_id, status, conversation_id)
    VALUES (NEW.workspace_id, '${type}', NEW.id, ${status}, ${conversation});
  RETURN NULL;
END $$;
CREATE TRIGGER note_insert AFTER INSERT ON ${table}
  FOR EACH ROW ${inserted ? `WHEN (${inserted})` : ''} EXECUTE FUNCTION note_${type}();
CREATE TRIGGER note_update AFTER UPDATE OF ${column} ON ${table}
  FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION note_${type}();`;
}

/**
 * Lets new agents, their new versions, their deletion and their restoration leave notes of changes. A version is always
 * stored together with its number in `agents`.
 */
const agentNotes = `
CREATE FUNCTION note_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (workspace_id, type, subject_id, status)
    VALUES (NEW.workspace_id, 'agent', NEW.id, CASE WHEN NEW.deleted_at IS NULL THEN 'active' ELSE 'deleted' END);
  RETURN NULL;
END $$;
CREATE TRIGGER note_insert AFTER INSERT ON agents FOR EACH ROW EXECUTE FUNCTION note_agent();
CREATE TRIGGER note_update AFTER UPDATE OF current_version, deleted_at, erased_at ON agents FOR EACH ROW
  WHEN ((OLD.current_version, OLD.deleted_at, OLD.erased_at)
    IS DISTINCT FROM (NEW.current_version, NEW.deleted_at, NEW.erased_at))
  EXECUTE FUNCTION note_agent();
`;

/** The notes of changes, and the triggers of other tables that write them. */
export const changes = [
  ...[tables, isolateTable('changes'), people],
  ...[...noted.map(noteChanges), agentNotes],
].join('\n');
