import type { Knex } from 'knex';

/**
 * Lets new agents, their new versions, their deletion and their restoration leave notes of changes. A version is always
 * stored together with its number in `agents`.
 */
const notes = `
CREATE OR REPLACE FUNCTION note_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (workspace_id, type, subject_id, status)
    VALUES (NEW.workspace_id, 'agent', NEW.id, CASE WHEN NEW.deleted_at IS NULL THEN 'active' ELSE 'deleted' END);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER note_insert AFTER INSERT ON agents FOR EACH ROW EXECUTE FUNCTION note_agent();
CREATE OR REPLACE TRIGGER note_update AFTER UPDATE OF current_version, deleted_at, erased_at ON agents FOR EACH ROW
  WHEN ((OLD.current_version, OLD.deleted_at, OLD.erased_at)
    IS DISTINCT FROM (NEW.current_version, NEW.deleted_at, NEW.erased_at))
  EXECUTE FUNCTION note_agent();
`;

/** Each statement locks one table, for a moment. */
export const config = { transaction: false };

/** Adds agents to the notes of changes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(notes);
}
