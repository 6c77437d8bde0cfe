import type { Knex } from 'knex';

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

/** Triggers are created one table at a time: a transaction that locked all of them could meet those of programs crosswise. */
export const config = { transaction: false };

/** Lets each new row and each change of a status leave a note. */
export async function up(knex: Knex): Promise<void> {
  for (const table of noted) await knex.raw(noteChanges(table));
}

function noteChanges({ table, type, column = 'status', inserted, ...row }: NotedTable): string {
  const { status = 'NEW.status', conversation = 'NULL' } = row;
  return `
CREATE OR REPLACE FUNCTION note_${type}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (workspace_id, type, subject_id, status, conversation_id)
    VALUES (NEW.workspace_id, '${type}', NEW.id, ${status}, ${conversation});
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER note_insert AFTER INSERT ON ${table}
  FOR EACH ROW ${inserted ? `WHEN (${inserted})` : ''} EXECUTE FUNCTION note_${type}();
CREATE OR REPLACE TRIGGER note_update AFTER UPDATE OF ${column} ON ${table}
  FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION note_${type}();`;
}
