import { defaultLimits, type TurnLimits } from '../../../domain/limits.ts';
import type { CalledAgent, CallingTurn, NewChildTurn, WorkflowLink } from '../../../domain/child-turn.ts';
import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import type { ClaimedToolCall, ToolCallPosition } from './tool-call-repository.ts';
import { findTurnStart, insertUserMessage, toMessageBindings, toTurnStart } from '../turn-start.ts';
import { askedBy, rootConversation } from '../../credits/turn-origin.ts';
import { tokensUsed } from '../turn-tokens.ts';

/** Turns of other agents and workflows that tool calls start and wait for. */
export function createChildTurnRepository(query: Query) {
  return {
    /** A tool call that has been claimed before. Null when the turn has ended or has no such call. */
    findCall: async (position: ToolCallPosition): Promise<ClaimedToolCall | null> => {
      const [row] = await query(findCall, position);
      return row ?? null;
    },

    /** Finds a running turn and keeps it from being settled until the transaction ends. */
    findCallingTurn: async (turnId: string): Promise<CallingTurn | null> => {
      const [row] = await query(findCallingTurn, { turnId });
      return row ? toCallingTurn(row) : null;
    },

    findCalledAgent: async (agentId: string): Promise<CalledAgent | null> => {
      const [row] = await query(findCalledAgent, { agentId });
      return row ?? null;
    },

    /** Notes which workflow a call starts, before it is started. False when the call has ended. */
    linkWorkflow: async (link: WorkflowLink): Promise<boolean> => {
      const rows = await query(linkChild, { ...link, turnId: null });
      return rows.length > 0;
    },

    /**
     * Stores a conversation with a turn that answers a tool call, unless they are stored; answers the input of the
     * turn's workflow. Null when the call or its turn has ended. Its statements depend on each other.
     */
    createChildTurn: async (child: NewChildTurn): Promise<AgentTurnInput | null> => {
      const { turnId, conversationId, agent, title, toolCallId } = child;
      const link = { toolCallId, turnId, workflowId: `turn-${turnId}`, runId: null };
      if ((await query(linkChild, link)).length === 0) return null;
      const { parentTurnId } = child;
      await query(insertConversation, { conversationId, agentId: agent.id, title, parentTurnId });
      await query(insertChildTurn, toChildBindings(child));
      const [row] = await query(findTurnStart, { turnId });
      return row ? toTurnStart(row) : null;
    },

    /** The ids of the workflows that the open calls of a turn have started, or are about to. */
    listWaitedFor: async (turnId: string): Promise<string[]> => {
      const rows = await query(listWaitedFor, { turnId });
      return rows.map(({ id }) => id);
    },
  };
}

export type ChildTurnRepository = ReturnType<typeof createChildTurnRepository>;

const findCall = defineStatement<ToolCallPosition, ClaimedToolCall>(
  'find_claimed_tool_call',
  `SELECT c.*, c.status AS status_before, t.cancel_requested_at IS NOT NULL AS cancel_requested, false AS runs,
     t.agent_id, t.agent_version_id, t.rule_sources, false AS ends_turn, '{}'::text[] AS quarantined, false AS steering,
     false AS budgeted, t.held_by
   FROM tool_calls c JOIN turns t ON t.id = c.turn_id
   WHERE c.turn_id = :turnId AND c.iteration = :iteration AND c.index = :index AND t.status = 'running'`,
);

interface CallingTurnRow {
  agent_id: string;
  agent_name: string;
  lineage: string[];
  max_iterations: number | null;
  max_tokens: number | null;
  limits: Partial<TurnLimits>;
  top_limits: Partial<TurnLimits> | null;
  tokens_used: number;
  runs_routine: boolean;
}

const findCallingTurn = defineStatement<{ turnId: string }, CallingTurnRow>(
  'find_calling_turn',
  `WITH RECURSIVE above AS (
     SELECT id, parent_turn_id, agent_version_id FROM turns WHERE id = :turnId
     UNION ALL
     SELECT p.id, p.parent_turn_id, p.agent_version_id FROM turns p JOIN above ON p.id = above.parent_turn_id
   )
   SELECT t.agent_id, v.name AS agent_name, t.lineage, t.max_iterations, t.max_tokens, v.limits,
     ${tokensUsed} AS tokens_used, EXISTS (SELECT FROM routine_runs r WHERE r.id = t.id) AS runs_routine,
     (SELECT top.limits FROM above JOIN agent_versions top ON top.id = above.agent_version_id
      WHERE above.parent_turn_id IS NULL) AS top_limits
   FROM turns t JOIN agent_versions v ON v.id = t.agent_version_id WHERE t.id = :turnId
     AND t.status = 'running' FOR SHARE OF t`,
);

function toCallingTurn(row: CallingTurnRow): CallingTurn {
  const limits = { ...defaultLimits, ...row.limits };
  return {
    agentId: row.agent_id,
    agentName: row.agent_name,
    lineage: row.lineage,
    maxIterations: row.runs_routine ? Infinity : (row.max_iterations ?? limits.maxIterations),
    tokensLeft: Math.max(0, Math.min(limits.maxTokens, row.max_tokens ?? Infinity) - row.tokens_used),
    maxAgentDepth: row.top_limits?.maxAgentDepth ?? defaultLimits.maxAgentDepth,
  };
}

const findCalledAgent = defineStatement<{ agentId: string }, CalledAgent>(
  'find_called_agent',
  `SELECT a.id, a.deleted_at IS NOT NULL AS deleted, v.id AS "versionId", v.limits
   FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version WHERE a.id = :agentId`,
);

interface ChildLink {
  toolCallId: string;
  turnId: string | null;
  workflowId: string;
  runId: string | null;
}

const linkChild = defineStatement<ChildLink, { id: string }>(
  'link_child',
  `UPDATE tool_calls SET child_turn_id = :turnId::uuid, child_workflow_id = :workflowId, child_begun_by = :runId
   WHERE id = :toolCallId AND status = 'started' RETURNING id`,
);

const insertConversation = defineStatement<
  { conversationId: string; agentId: string; title: string; parentTurnId: string },
  unknown
>(
  'insert_child_conversation',
  `INSERT INTO conversations (id, agent_id, title, last_turn_ordinal, person, shared_with)
   SELECT :conversationId, :agentId, :title, 1, c.person, c.shared_with
   FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE t.id = :parentTurnId
   ON CONFLICT (id) DO NOTHING`,
);

function toChildBindings(child: NewChildTurn) {
  const { turnId, conversationId, parentTurnId, toolCallId, agent, message } = child;
  return {
    ...toMessageBindings(message),
    turnId,
    conversationId,
    parentTurnId,
    toolCallId,
    agentId: agent.id,
    versionId: agent.versionId,
    timeoutMs: child.timeoutMs,
    maxIterations: child.maxIterations,
    maxTokens: child.maxTokens,
    inheritsRules: child.inheritsRules,
  };
}

/** A child is born with the cancel request that its parent had before the child was stored. */
const insertChildTurn = defineStatement<ReturnType<typeof toChildBindings>, unknown>(
  'insert_child_turn',
  `WITH turn AS (
     INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, request_hash, timeout_ms, message_id, status,
       started_at, deadline_at, parent_turn_id, parent_tool_call_id, lineage, rule_sources,
       max_iterations, max_tokens, swarm_id, asked_by, root_conversation_id, cancel_requested_at)
     SELECT :turnId::uuid, :conversationId::uuid, :agentId::uuid, :versionId::uuid, 1, 'child', :timeoutMs::int, :messageId::uuid,
       'running', now(), now() + make_interval(secs => :timeoutMs::int / 1000.0), p.id, :toolCallId::uuid,
       p.lineage || p.agent_id, p.rule_sources || jsonb_build_object('turnId', p.id, 'agentId', p.agent_id,
         'versionId', p.agent_version_id, 'inherits', :inheritsRules::boolean), :maxIterations::int, :maxTokens::bigint,
       p.swarm_id, ${askedBy('p')}, ${rootConversation('p')}, p.cancel_requested_at
     FROM turns p WHERE p.id = :parentTurnId::uuid AND p.status = 'running'
     ON CONFLICT (id) DO NOTHING
     RETURNING *
   ), message AS (${insertUserMessage}
   )
   SELECT append_events(conversation_id, id, :started::jsonb, :characters::int) FROM turn`,
);

const listWaitedFor = defineStatement<{ turnId: string }, { id: string }>(
  'list_workflows_waited_for',
  `SELECT child_workflow_id AS id FROM tool_calls
   WHERE turn_id = :turnId AND status = 'started' AND child_workflow_id IS NOT NULL AND child_turn_id IS NULL`,
);
