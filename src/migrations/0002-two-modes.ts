import type { Knex } from 'knex';

/** Stores the execution mode `fast` as `direct`: the versions that are there, and those that programs of the release before make. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE OR REPLACE FUNCTION set_direct_execution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.execution := 'direct';
      RETURN NEW;
    END $$`);
  await knex.raw(`CREATE OR REPLACE TRIGGER direct_execution BEFORE INSERT ON agent_versions
    FOR EACH ROW WHEN (NEW.execution = 'fast') EXECUTE FUNCTION set_direct_execution()`);
  // The owner of the tables sees no rows of workspaces.
  await knex.raw('SET LOCAL ROLE holdfast_system');
  await knex.raw("UPDATE agent_versions SET execution = 'direct' WHERE execution = 'fast'");
  await knex.raw('RESET ROLE');
}
