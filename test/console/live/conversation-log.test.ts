import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendEvents, emptyLog, type ConversationLog } from '../../../console/src/live/conversation-log.ts';
import type { ConversationEvent, ReceivedEvent } from '../../../console/src/api/types.ts';

const usage = {
  inputTokens: 10,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
};
const call = { toolCallId: 'call-1', iteration: 1, index: 0, name: 'transfer' };

type Happened = {
  [Type in ConversationEvent['type']]: Pick<Extract<ConversationEvent, { type: Type }>, 'type' | 'payload'>;
}[ConversationEvent['type']];

/** Gives events the number and the time of their place: one second after the other. */
function toEvents(...events: (Happened & { turnId?: string })[]): ReceivedEvent[] {
  return events.map(({ turnId = 'turn-1', ...event }, index) => {
    const seq = index + 1;
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString();
    return { seq, turnId, createdAt, lastEventId: String(seq), ...event };
  });
}

const delta = (text: string, attempt = 1): ReceivedEvent => {
  return { type: 'text.delta', id: 'x', turnId: 'turn-1', iteration: 1, attempt, text, lastEventId: 'x' };
};

const asked: Happened = {
  type: 'message.created',
  payload: {
    ...{ messageId: 'm', iteration: 1, text: 'I transfer it.', model: 'demo', usage, credits: '0' },
    toolCalls: [{ ...call, type: 'function', arguments: { amount: 5 } }],
  },
};
const started: Happened = { type: 'turn.started', payload: { message: 'Pay.' } };
const requested: Happened = {
  type: 'action.requested',
  payload: {
    ...call,
    ...{
      actionId: 'action-1',
      kind: 'approval',
      arguments: { amount: 5 },
      expiresAt: '2026-01-02T00:00:00Z',
    },
  },
};
const decided: Happened = {
  type: 'action.decided',
  payload: {
    ...{
      actionId: 'action-1',
      kind: 'approval',
      status: 'approved',
      reason: null,
      approvedArguments: { amount: 4 },
    },
    decidedBy: { apiKeyId: null, actingFor: 'ada' },
  },
};
const executed: Happened = {
  type: 'tool.executed',
  payload: { ...call, durationMs: 12, resultPreview: 'done' },
};
const settled: Happened = {
  type: 'turn.settled',
  payload: { outcome: 'completed', answer: 'Paid.', error: null, iterations: 2, usage },
};

const onlyTurn = (log: ConversationLog) => log.turns[0];
const onlyCall = (log: ConversationLog) => onlyTurn(log)?.steps[0]?.calls[0];

describe('the log of a conversation', () => {
  test('has a turn from its message to its answer, with what its tools did', () => {
    const log = appendEvents(emptyLog, toEvents(started, asked, executed, settled));
    expect(onlyTurn(log)).toMatchObject({ message: 'Pay.', status: 'completed', answer: 'Paid.', usage });
    expect(onlyCall(log)).toMatchObject({ status: 'succeeded', preview: 'done', durationMs: 12 });
  });

  test('waits for a person until the last open action of the turn is decided', () => {
    const waiting = appendEvents(emptyLog, toEvents(started, asked, requested));
    expect(onlyTurn(waiting)?.status).toBe('waiting_for_approval');
    expect(onlyCall(waiting)?.action?.status).toBe('pending');
    const log = appendEvents(emptyLog, toEvents(started, asked, requested, decided));
    expect(onlyTurn(log)?.status).toBe('running');
    expect(onlyCall(log)?.action).toMatchObject({
      status: 'approved',
      decision: { approvedArguments: { amount: 4 } },
    });
  });

  test('shows the pieces of the newest attempt, and the stored text when it is there', () => {
    const begun = appendEvents(emptyLog, [...toEvents(started), delta('Good '), delta('mor')]);
    expect(onlyTurn(begun)?.steps[0]).toMatchObject({ text: 'Good mor', isStreaming: true });
    const again = appendEvents(begun, [delta('Hello', 2), delta('late piece', 1)]);
    expect(onlyTurn(again)?.steps[0]?.text).toBe('Hello');
    const reset = appendEvents(again, [
      { type: 'stream.reset', id: 'x', turnId: 'turn-1', iteration: 1, attempt: 3, lastEventId: 'x' },
    ]);
    expect(onlyTurn(reset)?.steps[0]).toMatchObject({ text: '', isStreaming: false });
    const [, stored] = toEvents(started, asked);
    const ended = appendEvents(reset, [...(stored ? [stored] : []), delta('piece after the answer', 3)]);
    expect(onlyTurn(ended)?.steps[0]).toMatchObject({ text: 'I transfer it.', isStreaming: false });
  });

  test('keeps an unknown outcome unknown, and a settled one that was made again', () => {
    const error = { code: 'TOOL_OUTCOME_UNKNOWN', message: 'It may have run.' };
    const unknown = { type: 'tool.unknown', payload: { ...call, error } } as const;
    const log = appendEvents(emptyLog, toEvents(started, asked, unknown));
    expect(onlyCall(log)).toMatchObject({ status: 'unknown', error });
    const again = { type: 'tool.settled', payload: { ...call, status: 'succeeded', attempts: 2 } } as const;
    expect(onlyCall(appendEvents(emptyLog, toEvents(started, asked, unknown, again)))).toMatchObject({
      ...{ status: 'succeeded', attempt: 2, error: null },
    });
  });

  test('has queued, steered and withdrawn messages as turns', () => {
    const queued = (messageId: string) =>
      ({ type: 'message.queued', payload: { messageId, message: messageId, onBusy: 'enqueue' } }) as const;
    const log = appendEvents(
      emptyLog,
      toEvents(
        started,
        { ...queued('one'), turnId: 'turn-2' },
        { ...queued('two'), turnId: 'turn-3' },
        { type: 'message.withdrawn', payload: { messageId: 'two' }, turnId: 'turn-3' },
        {
          type: 'message.steered',
          payload: { messageId: 'one', message: 'one', iteration: 1, steeredTurnId: 'turn-2' },
        },
      ),
    );
    expect(log.turns.map(({ id, status }) => [id, status])).toEqual([
      ['turn-1', 'running'],
      ['turn-2', 'queued'],
      ['turn-3', 'cancelled'],
    ]);
    expect(log.turns[0]?.steered).toMatchObject([{ message: 'one', iteration: 1 }]);
  });

  test('is the same however the events are cut into batches, and whatever of them comes twice', () => {
    const events = toEvents(started, asked, requested, decided, executed, settled);
    const whole = appendEvents(emptyLog, events);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length), { maxLength: 6 }), (cuts) => {
        // A stream that was opened again repeats what came since some earlier event.
        let log = emptyLog;
        for (const cut of [...cuts, events.length]) {
          const from = Math.max(0, Math.min(log.seq - 2, cut));
          log = appendEvents(log, events.slice(from, Math.max(cut, log.seq)));
        }
        expect(log).toEqual(whole);
      }),
    );
  });
});
