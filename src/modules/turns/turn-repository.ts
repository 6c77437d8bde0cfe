import { HoldfastError } from '../../domain/errors.ts';
import type { Turn, TurnDetails } from '../../domain/turn.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { createActionRepository } from '../actions/action-repository.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { requestCancel, requestCancelOfTree, type TopTurns } from './request-cancel.ts';
import type { ToolCallDetails } from '../../domain/tool-response.ts';
import {
  findShownToolCall,
  listShownToolCalls,
  toToolCall,
  toToolCallDetails,
} from './calls/shown-tool-calls.ts';
import { conversationNotFound, toTurn, turnNotFound, type TurnRow } from './turn-rows.ts';
import { askedBy } from '../credits/turn-origin.ts';
import { findTurnStart, toTurnStart } from './turn-start.ts';

/** Turns as their callers see them: stored, found, listed and cancelled. */
export function createTurnRepository(query: Query) {
  return {
    requestCancel: (turnId: string) => requestCancel(query, turnId),
    requestCancelOfTree: (top: TopTurns) => requestCancelOfTree(query, top),

    /** @throws HoldfastError `NOT_FOUND` */
    getTurn: async (turnId: string): Promise<Turn> => {
      const [row] = await query(findReadableTurn, { turnId });
      if (!row) throw turnNotFound(turnId);
      return toTurn(row);
    },

    /**
     * The person for whom a turn acts, through all turns above it; null for none.
     * @throws HoldfastError `NOT_FOUND`
     */
    getPerson: async (turnId: string): Promise<string | null> => {
      const [row] = await query(findPerson, { turnId });
      if (!row) throw turnNotFound(turnId);
      return row.person;
    },

    /** Whether a turn stands for a run of a routine, whose steps it shows. */
    isRun: async (turnId: string): Promise<boolean> => (await query(findRun, { turnId })).length > 0,

    /**
     * A turn, and whether a workflow has run it: none runs a message that waits, a copy, an imported turn or a direct turn.
     * @throws HoldfastError `NOT_FOUND`
     */
    getTurnDetails: async (turnId: string): Promise<{ turn: TurnDetails; hasWorkflow: boolean }> => {
      const [[row], calls, pendingActions] = await Promise.all([
        query(findReadableTurn, { turnId }),
        query(listShownToolCalls, { turnId }),
        createActionRepository(query).listPending(turnId),
      ]);
      if (!row) throw turnNotFound(turnId);
      const toolCalls = calls.map(toToolCall);
      const turn = {
        ...toTurn(row),
        responseSchema: row.response_schema,
        toolCalls,
        failedAttempts: row.failed_attempts,
        pendingActions,
      };
      const hasBegun = row.started_at !== null && row.imported_at === null;
      return { turn, hasWorkflow: hasBegun && row.direct_owner === null };
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getToolCall: async (turnId: string, toolCallId: string): Promise<ToolCallDetails> => {
      const [[turn], [row]] = await Promise.all([
        query(findReadableTurn, { turnId }),
        query(findShownToolCall, { turnId, toolCallId }),
      ]);
      if (!turn || !row)
        throw new HoldfastError('NOT_FOUND', `The turn ${turnId} has no tool call ${toolCallId}.`);
      return toToolCallDetails(row);
    },

    /**
     * Newest first; `cursor` is the id of the last turn of the page before.
     * @throws HoldfastError `NOT_FOUND` for a conversation that does not exist
     */
    listTurns: async (page: PageRequest & { conversationId: string }): Promise<Page<Turn>> => {
      const { conversationId, cursor = null, limit } = page;
      const [[conversation], rows] = await Promise.all([
        query(findConversation, { conversationId }),
        query(listTurns, { conversationId, cursor, most: limit + 1 }),
      ]);
      if (!conversation) throw conversationNotFound(conversationId);
      return toPage(rows, limit, toTurn);
    },

    /**
     * The input of a stored turn's workflow.
     * @throws HoldfastError `NOT_FOUND`
     */
    getStart: async (turnId: string): Promise<AgentTurnInput> => {
      const [row] = await query(findTurnStart, { turnId });
      if (!row) throw turnNotFound(turnId);
      return toTurnStart(row);
    },
  };
}

export type TurnRepository = ReturnType<typeof createTurnRepository>;

/** Turns of a deleted conversation are not found, though their rows are removed later. */
const findReadableTurn = defineStatement<{ turnId: string }, TurnRow>(
  'find_readable_turn',
  `SELECT t.* FROM turns t JOIN conversations c ON c.id = t.conversation_id
   WHERE t.id = :turnId AND c.deleted_at IS NULL`,
);

const findPerson = defineStatement<{ turnId: string }, { person: string | null }>(
  'find_person_of_turn',
  `SELECT ${askedBy('turns')} AS person FROM turns WHERE id = :turnId`,
);

const findRun = defineStatement<{ turnId: string }, { id: string }>(
  'find_run_of_turn',
  'SELECT id FROM routine_runs WHERE id = :turnId',
);

const findConversation = defineStatement<{ conversationId: string }, { id: string }>(
  'find_conversation',
  'SELECT id FROM conversations WHERE id = :conversationId AND deleted_at IS NULL',
);

/** The largest `integer` stands for the place before the first page, so that the index serves every page. */
const listTurns = defineStatement<{ conversationId: string; cursor: string | null; most: number }, TurnRow>(
  'list_turns',
  `SELECT * FROM turns WHERE conversation_id = :conversationId
     AND ordinal < CASE WHEN :cursor::uuid IS NULL THEN 2147483647
       ELSE (SELECT ordinal FROM turns WHERE id = :cursor) END
   ORDER BY ordinal DESC LIMIT :most`,
);
