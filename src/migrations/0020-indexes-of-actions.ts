import type { Knex } from 'knex';

/** Programs that do not know it find the same rows, more slowly. */
export const isCompatible = true;

/**
 * Row-level security lets no index serve a condition on `data ->> 'actionId'`, since the operator is not leakproof: a
 * look for the message about one action read all that the webhook had asked. A column has the id for an index.
 */
const indexes = `
ALTER TABLE webhook_deliveries ADD COLUMN asked_action text
  GENERATED ALWAYS AS (CASE WHEN type = 'turn.action_required' THEN data ->> 'actionId' END) STORED;
DROP INDEX webhook_deliveries_asked;
CREATE INDEX webhook_deliveries_asked ON webhook_deliveries (webhook_id, asked_action) WHERE asked_action IS NOT NULL;

CREATE INDEX ON pending_actions (conversation_id, id);
`;

/** Lets the actions of a conversation, and the message that asked about an action, be found by indexes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexes);
}
