import { newId } from '../../lib/ids.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toOneLine, toPreview } from '../../domain/text.ts';
import type { TurnInput } from '../../domain/turn.ts';
import type { AgentTurnInput } from '../../../workflows/contract/turn-steps.ts';
import { defineStatement } from '../statement.ts';
import { turnWeight } from './workspace-share.ts';
import { toAgentTurnInput, type TurnRow, type VersionColumns } from './turn-rows.ts';

/** A turn with its agent version and the beginning of the user's message. */
export interface TurnStartRow extends TurnRow, VersionColumns {
  message: string;
}

/** Reads what a stored turn is started with. */
export const findTurnStart = defineStatement<{ turnId: string }, TurnStartRow>(
  'find_turn_start',
  `SELECT t.*, v.name AS agent_name, v.model, v.execution, v.limits, ${turnWeight}, left(m.text, 500) AS message
   FROM turns t JOIN agent_versions v ON v.id = t.agent_version_id
   JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal AND m.iteration = 0
     AND m.steered_ordinal = 0
   WHERE t.id = :turnId`,
);

/** The input of the workflow that runs a stored turn. */
export function toTurnStart(row: TurnStartRow): AgentTurnInput {
  return toAgentTurnInput(row, row, toOneLine(row.message));
}

/** The bindings of `insertUserMessage`, and the first event of the turn. */
export function toMessageBindings(message: string) {
  return {
    messageId: newId(),
    message,
    characters: message.length,
    started: toStorableJson([{ type: 'turn.started', payload: { message: toPreview(message) } }]),
  };
}

/** The first event of a turn whose message waits. */
export function toQueuedEvent(messageId: string, { message, onBusy }: TurnInput): string {
  return toStorableJson([
    { type: 'message.queued', payload: { messageId, message: toPreview(message), onBusy } },
  ]);
}

/** SQL that stores the user's message of the turn that a statement inserts as `turn`. */
export const insertUserMessage = `
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, ordinal, 0, 'user', :message FROM turn`;
