import type { Knex } from 'knex';

/** Without them a statement of `test/platform/database/query-plans.db.test.ts` reads a whole table, or all tools of an agent. */
const indexes = `
CREATE INDEX ON messages (turn_id);
CREATE INDEX ON conversations (agent_id, id);
CREATE INDEX ON connector_tools (connector_id, position);
CREATE INDEX tool_pins_quarantined ON tool_pins (agent_id, tool_id) WHERE quarantined_at IS NOT NULL;
`;

/** Indexes for messages by turn, conversations by agent, tools by connector, and quarantined tools. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexes);
}
