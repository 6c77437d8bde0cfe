import type { Knex } from 'knex';
import { agentVersionSchema, type AgentVersion } from '../../domain/agent.ts';
import { defaultLimits } from '../../domain/limits.ts';
import type { FinishReason } from '../../domain/model.ts';
import { isSettled } from '../../domain/turn-status.ts';
import { modelResultCharacters, type ContextMessage } from '../../domain/model-context.ts';
import { toUsage, type TurnRow, type UsageColumns } from './turn-rows.ts';

interface StepHead extends TurnRow {
  stored_text: string | null;
  stored_finish_reason: FinishReason | null;
  stored_usage: UsageColumns | null;
}

/** Reads what a model call needs: the turn, its agent version and the newest turns of the conversation. */
export function createTurnContextRepository(trx: Knex) {
  return {
    /** The turn, and its message of one iteration when that is stored already. */
    findStep: (turnId: string, iteration: number) => findStep(trx, turnId, iteration),

    /** Messages up to and with a turn, oldest first, of as many whole turns as fit; the turn's own always do. */
    listContext: (window: ContextWindow) => listContext(trx, window),

    getVersion: async (id: string): Promise<AgentVersion> => {
      const row = await trx<VersionRow>('agent_versions').where({ id }).first();
      if (!row) throw new Error(`agent version ${id} is gone`);
      return toVersion(row);
    },
  };
}

export type TurnContextRepository = ReturnType<typeof createTurnContextRepository>;

interface ContextWindow {
  conversationId: string;
  ordinal: number;
  contextCharacters?: number | undefined;
}

interface VersionRow {
  id: string;
  agent_id: string;
  version: number;
  name: string;
  model: string;
  instructions: string;
  available_tools: AgentVersion['tools'];
  limits: AgentVersion['limits'];
  execution: AgentVersion['execution'];
  created_at: Date;
}

function toVersion(row: VersionRow): AgentVersion {
  return agentVersionSchema.parse({
    ...row,
    agentId: row.agent_id,
    tools: row.available_tools,
    createdAt: row.created_at.toISOString(),
  });
}

async function findStep(trx: Knex, turnId: string, iteration: number) {
  const row = await trx('turns as t')
    .leftJoin('messages as m', (on) =>
      on
        .on('m.conversation_id', 't.conversation_id')
        .andOn('m.turn_ordinal', 't.ordinal')
        .andOnVal('m.iteration', iteration)
        .andOnVal('m.role', 'assistant'),
    )
    .leftJoin('usage as u', (on) => on.on('u.turn_id', 't.id').andOnVal('u.iteration', iteration))
    .where('t.id', turnId)
    .first<StepHead | undefined>(
      't.*',
      'm.text as stored_text',
      'm.finish_reason as stored_finish_reason',
      trx.raw('to_jsonb(u.*) AS stored_usage'),
    );
  if (!row) return null;
  return {
    conversationId: row.conversation_id,
    agentVersionId: row.agent_version_id,
    ordinal: row.ordinal,
    restarts: row.restarts,
    status: row.status,
    outcome: isSettled(row.status) ? row.status : null,
    cancelRequested: row.cancel_requested_at !== null,
    usage: toUsage(row),
    stored: toStored(row),
  };
}

function toStored({ stored_text: text, stored_finish_reason: finishReason, stored_usage: usage }: StepHead) {
  if (text === null || finishReason === null || usage === null) return null;
  return { text, finishReason, usage: toUsage(usage) };
}

export type TurnStep = NonNullable<Awaited<ReturnType<typeof findStep>>>;

async function listContext(trx: Knex, window: ContextWindow): Promise<ContextMessage[]> {
  const { rows } = await trx.raw<{ rows: ContextMessage[] }>(contextStatement, {
    conversationId: window.conversationId,
    ordinal: window.ordinal,
    budget: window.contextCharacters ?? defaultLimits.contextCharacters,
    resultCharacters: modelResultCharacters,
  });
  return rows;
}

/** `characters_before` grows with `ordinal`, so the first turn of the window is found from the newest end. */
const contextStatement = `
WITH first AS (
  SELECT coalesce(max(t.ordinal) + 1, 0) AS ordinal
  FROM conversations c
  LEFT JOIN LATERAL (
    SELECT ordinal FROM turns
    WHERE conversation_id = c.id AND characters_before < c.characters - :budget::bigint
    ORDER BY ordinal DESC LIMIT 1
  ) t ON true
  WHERE c.id = :conversationId
)
SELECT m.turn_ordinal AS "turnOrdinal", m.iteration, m.role, m.text, m.provider_content AS "providerContent",
  CASE WHEN m.role = 'assistant' THEN (
    SELECT jsonb_agg(jsonb_build_object('id', c.id, 'modelCallId', c.model_call_id, 'name', c.name,
      'arguments', c.arguments, 'invalidArguments', c.invalid_arguments, 'status', c.status,
      'result', left(c.result, :resultCharacters::int), 'resultBytes', c.result_bytes, 'error', c.error)
      ORDER BY c.index)
    FROM tool_calls c
    WHERE c.conversation_id = m.conversation_id AND c.turn_ordinal = m.turn_ordinal AND c.iteration = m.iteration
  ) END AS "toolCalls"
FROM messages m, first
WHERE m.conversation_id = :conversationId
  AND m.turn_ordinal >= least(first.ordinal, :ordinal::int) AND m.turn_ordinal <= :ordinal::int
ORDER BY m.turn_ordinal, m.iteration`;
