import type { ConversationEvent, EventPayload, EventType, StreamChunk } from '../../src/domain/event.ts';
import type { ToolCall, TurnDetails } from '../../src/domain/turn.ts';

/** The ids of the scripted turn and its conversation. */
export const turnId = '3f6a2c1e-0000-8000-8000-000000000001';
export const conversationId = '0198a000-0000-7000-8000-000000000002';
export const agentId = '0198a000-0000-7000-8000-000000000003';

const usage = {
  inputTokens: 12,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
};

const startedAt = Date.parse('2026-01-02T03:04:05.000Z');

/** A stored event of the turn, 100 ms after the one before it. */
export function toStoredEvent<Type extends EventType>(seq: number, type: Type, payload: EventPayload<Type>) {
  return { seq, turnId, createdAt: new Date(startedAt + (seq - 1) * 100).toISOString(), type, payload };
}

/** A frame of a stored event; `chunkId` is the last piece of text before it. */
export function toStoredFrame<Type extends EventType>(
  [seq, chunkId]: [seq: number, chunkId: number],
  type: Type,
  payload: EventPayload<Type>,
): string {
  return toFrame(`${seq}.${chunkId}`, toStoredEvent(seq, type, payload) as ConversationEvent);
}

/** A frame with a piece of text. */
export function toDeltaFrame(
  [seq, id]: [number, number],
  text: string,
  at: { iteration?: number; attempt?: number } = {},
) {
  return toFrame(`${seq}.${id}`, {
    type: 'text.delta',
    id: String(id),
    turnId,
    iteration: 1,
    attempt: 1,
    ...at,
    text,
  });
}

/** Returns a frame that voids the streamed text of an iteration. */
export function toResetFrame([seq, id]: [number, number], at: { iteration?: number; attempt: number }) {
  return toFrame(`${seq}.${id}`, { type: 'stream.reset', id: String(id), turnId, iteration: 1, ...at });
}

function toFrame(id: string, event: StreamChunk | ConversationEvent): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Returns the event with the model's message in one iteration. */
export function toMessagePayload(
  text: string,
  { iteration = 1, toolCalls = [] }: Partial<EventPayload<'message.created'>> = {},
): EventPayload<'message.created'> {
  return { messageId: `message-${iteration}`, iteration, text, model: 'demo', usage, toolCalls };
}

/** Returns the event with the outcome of the turn. */
export function toSettledPayload(
  answer: string,
  change: Partial<EventPayload<'turn.settled'>> = {},
): EventPayload<'turn.settled'> {
  return { outcome: 'completed', answer, error: null, iterations: 1, usage, ...change };
}

/** A call of the echo tool in the first iteration. */
export function toCall(index = 0, name = 'everything_echo') {
  return { toolCallId: `call-${index}`, iteration: 1, index, name };
}

/** The turn as the API shows it. */
export function toTurn(change: Partial<TurnDetails> = {}): TurnDetails {
  return {
    pendingActions: [],
    id: turnId,
    conversationId,
    agentId,
    agentVersionId: '0198a000-0000-7000-8000-000000000004',
    parentTurnId: null,
    startedBy: null,
    credits: '0',
    messageId: null,
    steeredInto: null,
    rolledBack: false,
    recordedFrom: null,
    status: change.outcome ?? 'running',
    outcome: null,
    answer: null,
    answerJson: null,
    responseSchema: null,
    error: null,
    iterations: 1,
    usage,
    createdAt: new Date(startedAt).toISOString(),
    startedAt: new Date(startedAt).toISOString(),
    deadlineAt: null,
    settledAt: null,
    toolCalls: [],
    failedAttempts: [],
    ...change,
  };
}

/** The stored call of the echo tool. */
export function toToolCall(change: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'call-0',
    iteration: 1,
    index: 0,
    name: 'everything_echo',
    type: 'mcp',
    status: 'succeeded',
    arguments: { message: 'hello' },
    result: 'Echo: hello',
    resultTruncated: false,
    content: null,
    childTurnId: null,
    answeredBy: null,
    approval: null,
    error: null,
    attempts: 1,
    settling: null,
    startedAt: null,
    endedAt: null,
    durationMs: 120,
    ...change,
  };
}
