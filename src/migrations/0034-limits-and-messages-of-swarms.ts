import type { Knex } from 'knex';

/** Programs that do not know it count no credits of swarms, and keep those limits that are budgets. */
export const isCompatible = true;

/**
 * Messages to the topics of a swarm: all members read all of them, so they are listed by their swarm. `leader_told` says
 * that the leader has got one in a turn.
 */
const messages = `
ALTER TABLE topic_messages ADD COLUMN leader_told boolean NOT NULL DEFAULT false;
CREATE INDEX topic_messages_of_swarm ON topic_messages (swarm_id, id);
DROP INDEX topic_messages_swarm_id_topic_id_idx;
`;

/**
 * The limit of credits of a swarm is a budget, which goes when the swarm has ended. `credits_used` counts as `tokens_used`
 * does: turns that are over, in the swarm and in all above it.
 */
const limits = `
ALTER TABLE budgets ADD COLUMN is_limit boolean NOT NULL DEFAULT false;
ALTER TABLE swarms ADD COLUMN credits_used bigint NOT NULL DEFAULT 0;
`;

/** Adds limits of credits to swarms, and what is needed to read their messages. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(limits);
  await knex.raw(messages);
}
