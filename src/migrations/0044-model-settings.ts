import type { Knex } from 'knex';

/** Programs that do not know the columns call the first model of an agent with its defaults, and keep no reasoning. */
export const isCompatible = true;

/**
 * The state of a model with one key, shared by all processes: a row is there from the first failure to the next answer.
 * \`holder\` is the id of a connection, or \`operator\`. The table belongs to no workspace.
 */
const modelStates = `
CREATE TABLE model_states (
  model text NOT NULL,
  holder text NOT NULL,
  failures integer NOT NULL,
  -- How often the circuit was opened without an answer in between; each time it stays open longer.
  openings integer NOT NULL,
  open_until timestamptz,
  probed_at timestamptz,
  error_code text NOT NULL,
  failed_at timestamptz NOT NULL,
  PRIMARY KEY (model, holder)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON model_states TO holdfast_system;
REVOKE ALL ON model_states FROM holdfast_app;
`;

/** Adds settings of models, models that answer for another one, reasoning, and the state of models. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE agent_versions
      ADD COLUMN model_settings jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN fallback_models jsonb NOT NULL DEFAULT '[]';
    ALTER TABLE messages ADD COLUMN reasoning text;
  `);
  await knex.raw(modelStates);
}
