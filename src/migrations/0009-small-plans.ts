import type { Knex } from 'knex';
import { addIndex } from './add-index.ts';
import { isInConversation } from './isolate.ts';

/** The index is built and dropped while programs write, and the policies are replaced one table at a time. */
export const config = { transaction: false };

/**
 * As a function, the condition is planned only when a transaction names a person. As part of a policy it stood twice in each
 * plan for each mention of a table, with the policies of conversations, and was set up for each run of a statement of a
 * turn, which never names one. The function sees rows as its caller does.
 */
const seesConversation = `
CREATE OR REPLACE FUNCTION sees_conversation(target uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM conversations WHERE id = target);
END $$;
`;

/** The tables that the steps of turns read and write, with who sees a row beside those who see its conversation. */
const tablesOfSteps: Record<string, string> = {
  turns: '',
  messages: '',
  tool_calls: '',
  compactions: '',
  events: '',
  stream_chunks: '',
  pending_actions: `kind = 'approval' AND (SELECT current_decides()) OR `,
};

/**
 * Makes the plans of a turn's statements smaller, with the same rows for everybody. And replaces the index of the turns of an
 * agent by one with a condition that lists and figures name and looks for one turn do not: while a database has no
 * statistics, each statement that looked for one turn read all turns of its workspace by the former index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(seesConversation);
  for (const [table, others] of Object.entries(tablesOfSteps)) {
    await knex.raw(
      `ALTER POLICY seen_by_person ON ${table}
         USING ((SELECT current_person()) IS NULL OR ${others}${isInConversation(`${table}.conversation_id`)})`,
    );
  }
  await addIndex(knex, {
    name: 'turns_by_agent',
    on: 'turns (workspace_id, agent_id, created_at, id) WHERE ordinal > 0',
  });
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS turns_of_agent');
}
