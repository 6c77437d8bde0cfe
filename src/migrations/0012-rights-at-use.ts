import type { Knex } from 'knex';
import { isInside } from './isolate.ts';

/** Tables are changed one at a time: a transaction that locked all of them could meet those of programs crosswise. */
export const config = { transaction: false };

/**
 * A user token for some conversations sees the files that were uploaded for no others, those that messages there name, and
 * those of tools there. Files of other uploads have no conversations.
 */
const files = `
ALTER TABLE files ADD COLUMN IF NOT EXISTS conversations uuid[];
DO $$ BEGIN
  CREATE POLICY named_by_token ON files AS RESTRICTIVE TO holdfast_app
    USING ((SELECT current_conversations()) IS NULL OR conversations <@ (SELECT current_conversations())
      OR ${isInside('turns', 'files.turn_id')}
      OR EXISTS (SELECT FROM file_uses u JOIN turns t ON t.id = u.turn_id
        WHERE u.workspace_id = files.workspace_id AND u.file_id = files.id));
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
`;

/** An event that was emitted for one person reaches the runs of that person alone; one without a person reaches all. */
const routineEvents = 'ALTER TABLE routine_events ADD COLUMN IF NOT EXISTS person text';

/**
 * A person sees the messages to webhooks about what that person sees. A function is planned only when a transaction names a
 * person: the statements of turns insert messages, and never name one.
 */
const deliveries = `
CREATE OR REPLACE FUNCTION sees_delivery(type text, data jsonb) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN type = 'inbox.message' THEN lower(normalize(trim(data ->> 'person'), NFKC)) = current_person()
    WHEN data ->> 'actionId' IS NOT NULL THEN EXISTS (SELECT FROM pending_actions a WHERE a.id = (data ->> 'actionId')::uuid)
    WHEN data ->> 'conversationId' IS NOT NULL THEN sees_conversation((data ->> 'conversationId')::uuid)
    ELSE true END;
END $$;
DO $$ BEGIN
  CREATE POLICY seen_by_person ON webhook_deliveries AS RESTRICTIVE TO holdfast_app
    USING ((SELECT current_person()) IS NULL OR sees_delivery(type, data));
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
`;

/** The tables whose rows a person sees only in part, by the types of their notes. */
const seenInPart: Record<string, string> = {
  turn: 'turns',
  action: 'pending_actions',
  routine_run: 'routine_runs',
  swarm: 'swarms',
  schedule_run: 'schedule_runs',
  trigger_delivery: 'trigger_deliveries',
  webhook_delivery: 'webhook_deliveries',
};

const isSeen = Object.entries(seenInPart)
  .map(([type, table]) => `WHEN '${type}' THEN ${isInside(table, 'changes.subject_id')}`)
  .join(' ');

const changes = `ALTER POLICY seen_by_person ON changes
  USING ((SELECT current_person()) IS NULL OR CASE type ${isSeen} ELSE true END)`;

/** Limits files, events of routines and messages to webhooks to what the person of a transaction sees. */
export async function up(knex: Knex): Promise<void> {
  for (const table of [files, routineEvents, deliveries, changes]) await knex.raw(table);
}
