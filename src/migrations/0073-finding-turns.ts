import type { Knex } from 'knex';

/** Programs that do not know the columns give conversations no ids of their callers. */
export const isCompatible = true;

/**
 * `external_id` is the caller's own id of a conversation, unique for its agent and for `external_person`: the normal form of
 * the name of the person for whom it was made, empty for nobody. That one stays when the conversation gets a person later.
 */
const externalIds = `
ALTER TABLE conversations ADD COLUMN external_id text, ADD COLUMN external_person text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX conversations_external ON conversations (workspace_id, external_id, agent_id, external_person)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;
`;

/**
 * `person` of a turn is the one for whom it was started, through all turns above it, in the form in which names are compared.
 * A trigger sets it, so that programs that do not know it store it too. An index of the expression could not be used: its
 * functions are not leakproof, so that row security would be checked first.
 */
const turns = `
ALTER TABLE turns ADD COLUMN person text;
CREATE FUNCTION set_person_of_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.person := nullif(lower(normalize(trim(coalesce(NEW.asked_by, NEW.started_by ->> 'actingFor')), NFKC)), '');
  RETURN NEW;
END $$;
CREATE TRIGGER person_of_turn BEFORE INSERT OR UPDATE OF asked_by, started_by ON turns
  FOR EACH ROW WHEN (NEW.asked_by IS NOT NULL OR NEW.started_by ->> 'actingFor' IS NOT NULL)
  EXECUTE FUNCTION set_person_of_turn();
ALTER TABLE turns NO FORCE ROW LEVEL SECURITY;
UPDATE turns SET started_by = started_by WHERE coalesce(asked_by, started_by ->> 'actingFor') <> '';
ALTER TABLE turns FORCE ROW LEVEL SECURITY;
CREATE INDEX turns_of_agent ON turns (workspace_id, agent_id, created_at, id);
CREATE INDEX turns_of_person ON turns (workspace_id, person, created_at, id) WHERE person IS NOT NULL;
CREATE INDEX turns_not_completed ON turns (workspace_id, status, created_at, id)
  WHERE settled_at IS NOT NULL AND status <> 'completed';
`;

/** Gives conversations ids of their callers, and turns the person by whom they are found. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(externalIds);
  await knex.raw(turns);
}
