import type { ActorRef } from '../../../domain/actor.ts';
import type { ErrorInfo } from '../../../domain/errors.ts';
import type { WaitingAction } from '../../../domain/swarm.ts';
import type { TurnStatus } from '../../../domain/turn-status.ts';
import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import { isoTime } from '../../../platform/database/iso-time.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { insertTurn, type StoredTurn } from '../../turns/store-turn.ts';
import { toTurnStart, type TurnStartRow } from '../../turns/turn-start.ts';
import { askedBy, rootConversation } from '../../credits/turn-origin.ts';
import { creditsUsed, tokensUsed } from '../../turns/turn-tokens.ts';
import { turnWeight } from '../../turns/workspace-share.ts';

/** A turn of a swarm that was not seen to have ended. */
export interface OpenSwarmTurn {
  turnId: string;
  /** Null for a turn of the leader. */
  subtaskId: string | null;
  status: TurnStatus;
  /** The start of its answer. */
  answer: string | null;
  error: ErrorInfo | null;
  /** Whether the last change of the swarm's state by a turn of the leader did not succeed. */
  hasFailedChange: boolean;
  /** Its usage, once it has ended. */
  tokens: number;
  credits: number;
  /** The step that has stored it. */
  step: string;
}

/** A turn that a swarm starts. */
export interface NewSwarmTurn {
  swarmId: string;
  turnId: string;
  conversationId: string;
  /** Set for a turn in a new conversation. */
  conversation: { agentId: string; title: string } | null;
  subtaskId: string | null;
  message: string;
  /** The step of the workflow that stores the turn. */
  step: string;
  /** The tokens that the turn may use; null for as many as its agent may. */
  maxTokens: number | null;
  startedBy: ActorRef | null;
}

/** The characters of an answer that are kept with a subtask. */
const answerCharacters = 4_000;

/** The turns of swarms. */
export function createSwarmTurnRepository(query: Query) {
  return {
    listOpen: (swarmId: string): Promise<OpenSwarmTurn[]> => query(listOpen, { swarmId }),

    markEnded: async (turnIds: readonly string[]): Promise<void> => {
      if (turnIds.length > 0) await query(markEnded, { turnIds: JSON.stringify(turnIds) });
    },

    /** The actions that turns of a swarm and of those inside of it wait for, oldest first. */
    listWaiting: (swarmId: string): Promise<WaitingAction[]> => query(listWaiting, { swarmId }),

    /** The workflow inputs of the open turns that earlier attempts of a step have stored. */
    listStarts: async (swarmId: string, step: string): Promise<AgentTurnInput[]> =>
      (await query(listStarts, { swarmId, step })).map(toTurnStart),

    /** Stores a turn; null when its agent was deleted. */
    insertTurn: async (turn: NewSwarmTurn): Promise<StoredTurn | null> => {
      const { swarmId, turnId, conversationId, subtaskId, step, startedBy } = turn;
      const { conversation, maxTokens } = turn;
      // Sent together: the turns of a step take one round trip.
      const [, stored] = await Promise.all([
        conversation ? query(insertConversation, { conversationId, ...conversation }) : [],
        insertTurn(query, {
          ...{ turnId, conversationId, requestHash: 'swarm' },
          input: { message: turn.message, onBusy: 'enqueue' },
          ...(startedBy ? { startedBy } : {}),
        }),
        query(insertSwarmTurn, { swarmId, turnId, conversationId, subtaskId, step, maxTokens }),
      ]);
      return stored;
    },

    /**
     * The swarm that a conversation takes part in: as that of its leader, of a member, or of an agent that one of these has
     * called. Null for a conversation without a swarm.
     */
    findSwarmId: async (ref: { conversationId: string; turnId: string | null }): Promise<string | null> => {
      const [row] = await query(findSwarmId, ref);
      return row?.id ?? null;
    },
  };
}

/** The function with which a leader plans. */
export const planningFunction = 'update_swarm_shared_state';

const lastChangeFailed = `(SELECT c.status <> 'succeeded' FROM tool_calls c
  WHERE c.turn_id = t.id AND coalesce(c.tool -> 'config' ->> 'functionName', c.name) = '${planningFunction}'
  ORDER BY c.iteration DESC, c.index DESC LIMIT 1)`;

const listOpen = defineStatement<{ swarmId: string }, OpenSwarmTurn>(
  'list_open_swarm_turns',
  `SELECT t.id AS "turnId", s.subtask_id AS "subtaskId", t.status, left(t.answer, ${answerCharacters}) AS answer, t.error,
     s.subtask_id IS NULL AND coalesce(${lastChangeFailed}, false) AS "hasFailedChange",
     CASE WHEN t.settled_at IS NULL THEN 0 ELSE ${tokensUsed} END AS tokens,
     CASE WHEN t.settled_at IS NULL THEN 0 ELSE ${creditsUsed} END AS credits, s.step
   FROM swarm_turns s JOIN turns t ON t.id = s.turn_id
   WHERE s.swarm_id = :swarmId AND s.ended_at IS NULL`,
);

const markEnded = defineStatement<{ turnIds: string }, unknown>(
  'mark_swarm_turns_ended',
  `UPDATE swarm_turns SET ended_at = now()
   WHERE turn_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:turnIds::jsonb)::uuid))`,
);

const listStarts = defineStatement<{ swarmId: string; step: string }, TurnStartRow>(
  'list_starts_of_swarm_step',
  `SELECT t.*, v.name AS agent_name, v.model, v.execution, v.limits, ${turnWeight}, left(m.text, 500) AS message
   FROM swarm_turns s JOIN turns t ON t.id = s.turn_id JOIN agent_versions v ON v.id = t.agent_version_id
   JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal AND m.iteration = 0
     AND m.steered_ordinal = 0
   WHERE s.swarm_id = :swarmId AND s.ended_at IS NULL AND s.step = :step AND t.status = 'running'`,
);

const listWaiting = defineStatement<{ swarmId: string }, WaitingAction>(
  'list_actions_of_swarm',
  `WITH RECURSIVE inside AS (
     SELECT :swarmId::uuid AS id UNION ALL SELECT s.id FROM swarms s JOIN inside ON s.parent_swarm_id = inside.id
   )
   SELECT a.id, a.kind, a.tool, s.swarm_id AS "swarmId", s.subtask_id AS "subtaskId", a.turn_id AS "turnId",
     ${isoTime('a.created_at')} AS "createdAt", ${isoTime('a.expires_at')} AS "expiresAt"
   FROM inside JOIN swarm_turns s ON s.swarm_id = inside.id AND s.ended_at IS NULL
   JOIN pending_actions a ON a.root_turn_id = s.turn_id AND a.status = 'pending'
   ORDER BY a.id`,
);

const insertConversation = defineStatement<
  { conversationId: string; agentId: string; title: string },
  unknown
>(
  'insert_swarm_conversation',
  `INSERT INTO conversations (id, agent_id, title)
   SELECT :conversationId::uuid, id, :title FROM agents WHERE id = :agentId AND deleted_at IS NULL`,
);

interface SwarmTurnValues {
  swarmId: string;
  turnId: string;
  conversationId: string;
  subtaskId: string | null;
  step: string;
  maxTokens: number | null;
}

/** A swarm that a turn has started acts for the person for whom that turn acts, and is under the rules above that turn. */
const insertSwarmTurn = defineStatement<SwarmTurnValues, unknown>(
  'insert_swarm_turn',
  `WITH swarm AS (
     SELECT s.id, s.rule_sources, ${askedBy('p')} AS asked_by, ${rootConversation('p')} AS root_conversation_id
     FROM swarms s LEFT JOIN turns p ON p.id = s.parent_turn_id WHERE s.id = :swarmId::uuid
   ), marked AS (
     UPDATE turns t SET swarm_id = s.id, asked_by = s.asked_by, root_conversation_id = s.root_conversation_id,
       rule_sources = s.rule_sources, max_tokens = :maxTokens::bigint
     FROM swarm s WHERE t.id = :turnId::uuid
   )
   INSERT INTO swarm_turns (turn_id, swarm_id, conversation_id, subtask_id, step)
   SELECT id, :swarmId::uuid, :conversationId, :subtaskId, :step FROM turns WHERE id = :turnId::uuid`,
);

const findSwarmId = defineStatement<{ conversationId: string; turnId: string | null }, { id: string }>(
  'find_swarm_of_conversation',
  `WITH RECURSIVE above AS (
     SELECT conversation_id, parent_turn_id FROM turns WHERE id = :turnId::uuid
     UNION ALL
     SELECT p.conversation_id, p.parent_turn_id FROM turns p JOIN above ON p.id = above.parent_turn_id
   ), places AS (
     SELECT :conversationId::uuid AS id UNION SELECT conversation_id FROM above
   )
   SELECT s.swarm_id AS id FROM places JOIN swarm_turns s ON s.conversation_id = places.id
   ORDER BY s.created_at DESC LIMIT 1`,
);
