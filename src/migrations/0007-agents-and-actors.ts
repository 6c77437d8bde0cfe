import type { Knex } from 'knex';
import { addIndex } from './add-index.ts';

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

/** The form in which names of people are compared. */
const nameKey = (name: string) => `nullif(lower(normalize(trim(${name}), NFKC)), '')`;

/** The fields of a payload that hold an actor, and the names that the person and the API key have in it. */
const actors = ['by', 'decided_by', 'created_by', 'revoked_by'];
const firstOf = (...names: string[]) =>
  `coalesce(${actors.flatMap((actor) => names.map((name) => `payload #>> '{${actor},${name}}'`)).join(', ')})`;

const actorsOfEvents = `
CREATE OR REPLACE FUNCTION audit_person(payload jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ${nameKey(firstOf('actingFor', 'person'))}
$$;
CREATE OR REPLACE FUNCTION audit_api_key(payload jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ${firstOf('apiKeyId', 'api_key_id')}
$$;
`;

/** One for each of the two indexes, which the planner takes only when the statement has its condition. */
const eventsBy = (condition: string) => `
    RETURN QUERY SELECT * FROM audit_events e
      WHERE e.workspace_id = current_workspace() AND ${condition}
        AND (of_type IS NULL OR e.type = of_type) AND (of_subject IS NULL OR e.subject_id = of_subject)
        AND (since IS NULL OR e.created_at >= since) AND (until IS NULL OR e.created_at < until)
        AND (before IS NULL OR e.seq < before)
      ORDER BY e.seq DESC LIMIT at_most;`;

/**
 * Lists the events of the current workspace by who acted, newest first. Under row-level security no index serves functions
 * of the payload, since they are not leakproof; so the function runs as its owner and names the workspace itself.
 */
const listByActor = `
CREATE OR REPLACE FUNCTION list_audit_events_by(of_person text, of_api_key text, of_type text, of_subject uuid,
  since timestamptz, until timestamptz, before bigint, at_most integer)
RETURNS SETOF audit_events LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF of_person IS NULL THEN${eventsBy('audit_api_key(e.payload) = of_api_key')}
  ELSE${eventsBy(`audit_person(e.payload) = ${nameKey('of_person')}
        AND (of_api_key IS NULL OR audit_api_key(e.payload) = of_api_key)`)}
  END IF;
END $$;
-- Any other login could name any workspace.
REVOKE EXECUTE ON FUNCTION list_audit_events_by FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_audit_events_by TO holdfast_app, holdfast_system;
-- The owner of the function is held to policies as well; this one lets it read, and nothing more.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_policies WHERE tablename = 'audit_events' AND policyname = 'owner_reads') THEN
    CREATE POLICY owner_reads ON audit_events FOR SELECT TO CURRENT_USER USING (true);
  END IF;
END $$;
`;

/** Indexes are built while programs write, and each trigger is created in a moment. */
export const config = { transaction: false };

/** Adds agents to the notes of changes, the makers of their versions, and finds audit events by who acted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(notes);
  // Null for the versions of before, and for those that no actor has made.
  await knex.raw('ALTER TABLE agent_versions ADD COLUMN IF NOT EXISTS made_by jsonb');
  await knex.raw(actorsOfEvents);
  for (const actor of ['person', 'api_key'])
    await addIndex(knex, {
      name: `audit_events_by_${actor}`,
      on: `audit_events (workspace_id, audit_${actor}(payload), seq) WHERE audit_${actor}(payload) IS NOT NULL`,
    });
  await knex.raw(listByActor);
}
