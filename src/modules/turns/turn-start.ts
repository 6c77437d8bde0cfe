import { newId } from '../../platform/lib/ids.ts';
import type { MessageContent } from '../../domain/message-part.ts';
import { toMessageText, toStoredContent } from '../../domain/message-text.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toOneLine, toPreview } from '../../domain/text.ts';
import type { TurnInput } from '../../domain/turn.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { defineStatement } from '../../platform/database/statement.ts';
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

/** The bindings of `insertUserMessage`, and the first event of the turn. `parts` is null for a message that is text only. */
export function toMessageBindings(content: MessageContent) {
  const { text, parts } = toStoredContent(content);
  return {
    messageId: newId(),
    message: text,
    parts: parts === null ? null : toStorableJson(parts),
    characters: text.length,
    started: toStorableJson([{ type: 'turn.started', payload: { message: toPreview(text) } }]),
  };
}

/** The first event of a turn whose message waits. */
export function toQueuedEvent(messageId: string, { message, onBusy }: TurnInput): string {
  const payload = { messageId, message: toPreview(toMessageText(message)), onBusy };
  return toStorableJson([{ type: 'message.queued', payload }]);
}

/** SQL that stores the user's message of the turn that a statement inserts as `turn`. */
export const insertUserMessage = `
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, ordinal, 0, 'user', :message FROM turn`;

/** As `insertUserMessage`, with the parts of the message. */
export const insertMessageOfParts = `
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text, parts)
  SELECT :messageId::uuid, conversation_id, id, ordinal, 0, 'user', :message, :parts::jsonb FROM turn`;
