import type { NewEvent } from '../../src/domain/event.ts';
import { openChunkWriter } from './write-chunk.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { fewTokens as usage } from './few-tokens.ts';
import type { Api } from './api-lab.ts';

interface Place {
  conversationId: string;
  turnId: string;
}

/** Writes the rows and events of one turn as its workflow and activities do. */
export function createTurnPlayer(api: Api, { conversationId, turnId }: Place) {
  const appendChunk = openChunkWriter(api.database);

  async function append(...events: NewEvent[]): Promise<void> {
    await api.database.inWorkspace(api.workspaceId, (trx) =>
      trx.raw('SELECT append_events(?, ?, ?::jsonb, 0)', [conversationId, turnId, JSON.stringify(events)]),
    );
    api.bells.emit(conversationId);
  }

  return {
    append,
    chunk: async (iteration: number, text: string | null, attempt = 1): Promise<void> => {
      await appendChunk({ conversationId, turnId, iteration, attempt, text });
      api.bells.emit(conversationId);
    },
    message: (iteration: number, text: string) =>
      append({
        type: 'message.created',
        payload: { messageId: newId(), iteration, text, model: 'demo', usage, toolCalls: [] },
      }),
    tool: (iteration: number) => {
      const call = { toolCallId: newId(), iteration, index: 0, name: 'calculate' };
      return append(
        { type: 'tool.started', payload: { ...call, attempt: 1 } },
        { type: 'tool.executed', payload: { ...call, durationMs: 1, resultPreview: '4' } },
      );
    },
    /** Ends the turn as the last step of a workflow does: row and event in one transaction. */
    settle: async (answer: string): Promise<void> => {
      const payload = { outcome: 'completed' as const, answer, error: null, iterations: 1, usage };
      await api.database.inWorkspace(api.workspaceId, async (trx) => {
        await trx('turns')
          .where({ id: turnId })
          .update({ status: 'completed', answer, settled_at: trx.fn.now(), iterations: 1 });
        const events = JSON.stringify([{ type: 'turn.settled', payload }]);
        await trx.raw('SELECT append_events(?, ?, ?::jsonb, 0)', [conversationId, turnId, events]);
      });
      api.bells.emit(conversationId);
    },
  };
}
