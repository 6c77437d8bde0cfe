import type { Knex } from 'knex';

/** Programs that do not know the column end the turn of a message when they take it. */
export const isCompatible = true;

/**
 * The running turn of which a model call has the message of a queued turn. The queued turn ends when the answer to that call
 * is stored. It starts the next turn when the turn that took its message ends without that answer.
 */
const taken = `ALTER TABLE turns ADD COLUMN taken_by uuid`;

/** Adds the turn that has taken a message and has not answered it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(taken);
}
