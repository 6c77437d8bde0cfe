import type { ImportedCompaction, ImportedTurn } from './imported-rows.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { RecordedCompaction, Recording } from '../../domain/recording.ts';
import { noUsage } from '../../domain/usage.ts';

type ToId = (kind: string, id: string) => string;

/** Summaries stand before the messages of their turn: the iterations of their messages are negative, in their order. */
const firstSummary = -1_000_000;

/** Returns the rows of the compactions of a turn. */
export function toImportedCompactions(recording: Recording, toId: ToId): ImportedCompaction[] {
  const { turn, compactions } = recording;
  return compactions.map((compaction, index) => {
    const { iteration, kind, summary, error, tokensBefore, tokensAfter, references } = compaction;
    const { fromTurnId, throughTurnId } = compaction;
    return {
      id: toId('compaction', `${turn.id}\n${index}`),
      ...{ iteration, number: countBefore(compactions, index) + 1, kind, error },
      ...{ tokensBefore, tokensAfter, references },
      fromOrdinal: compaction.fromOrdinal,
      throughOrdinal: compaction.throughOrdinal,
      throughOffset: compaction.throughOffset,
      referencesThrough: compaction.referencesThrough,
      messageId: toSummaryId(recording, compaction, toId),
      ...(summary?.usage ?? noUsage),
      text: summary?.text ?? null,
      model: summary?.model ?? null,
      answeredBy: summary?.answeredBy ?? null,
      credits: summary?.credits ?? null,
      fromTurnId: fromTurnId && toId('turn', fromTurnId),
      throughTurnId: throughTurnId && toId('turn', throughTurnId),
      createdAt: compaction.createdAt ?? turn.createdAt,
    };
  });
}

/** How many compactions before one of them were made before the same model call. */
function countBefore(compactions: RecordedCompaction[], index: number): number {
  const iteration = compactions[index]?.iteration;
  return compactions.slice(0, index).filter((one) => one.iteration === iteration).length;
}

function toSummaryId(
  { conversation }: Recording,
  { summaryId }: RecordedCompaction,
  toId: ToId,
): string | null {
  return summaryId && toId('summary', `${conversation.id}\n${summaryId}`);
}

/** Returns the messages of the summaries that were made in a turn. */
export function toSummaryMessages(compactions: ImportedCompaction[]): ImportedTurn['messages'] {
  const made = compactions.flatMap(({ messageId, text, createdAt }) =>
    messageId === null || text === null ? [] : [{ id: messageId, text, createdAt }],
  );
  return made.map((message, index) => ({
    ...message,
    ...{ iteration: firstSummary + index, steeredOrdinal: 0, role: 'summary' },
    ...{ parts: null, finishReason: null, providerContent: null, refused: null },
  }));
}

/** Lists the turns and the earlier summaries that compactions name, by their ids in the workspace. */
export function listNamed(compactions: ImportedCompaction[]): { turns: string[]; summaries: string[] } {
  const made = new Set(compactions.flatMap(({ text, messageId }) => (text === null ? [] : [messageId])));
  return {
    turns: compactions.flatMap(({ fromTurnId, throughTurnId }) =>
      [fromTurnId, throughTurnId].filter((id) => id !== null),
    ),
    summaries: compactions.flatMap(({ messageId }) =>
      messageId === null || made.has(messageId) ? [] : [messageId],
    ),
  };
}

/** Returns the event of a compaction. */
export function toCompactionEvent(compaction: ImportedCompaction): NewEvent & { createdAt: string } {
  const { iteration, kind, fromTurnId, throughTurnId, references, tokensBefore, tokensAfter } = compaction;
  const { text, messageId, answeredBy, credits, error, createdAt } = compaction;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = compaction;
  const usage = { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  return {
    type: 'context.compacted',
    payload: {
      ...{ iteration, kind, fromTurnId, throughTurnId, references, tokensBefore, tokensAfter },
      messageId: text === null ? null : messageId,
      ...{ text, model: answeredBy, ...(text !== null && { usage }), credits, error },
    },
    createdAt,
  };
}
