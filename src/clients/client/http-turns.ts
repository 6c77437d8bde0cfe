import { streamEvents } from './event-stream.ts';
import { operations } from './generated/operations.ts';
import type { Turn, TurnDetails } from './generated/types.ts';
import type { ApiTransport } from './api-transport.ts';
import { toReader } from './operation-answer.ts';
import { toRequest } from './operation-request.ts';
import { pause } from './pause.ts';
import type { StreamOptions } from './event-stream.ts';
import type { ReceivedEvent } from './received-event.ts';
import type { Resources } from './resources.ts';
import { createStreamCursor } from './stream-cursor.ts';
import type { StartTurnRequest, TurnTransport } from './turn-transport.ts';
import { withinTime } from './within-time.ts';

/** The turns of the workspace. */
export interface Turns extends TurnTransport {
  get: Resources['turns']['get'];
  /** Turns of a conversation. */
  list: Resources['turns']['list'];
  /** Turns of the workspace, by person, tag, outcome, time, tool, cost, duration and text. */
  find: Resources['turns']['find'];
  /** The stored events of a turn, in order. */
  events: Resources['turns']['events'];
  /** The model calls of a turn, one for each iteration. */
  modelCalls: Resources['turns']['modelCalls'];
  /**
   * Follows a turn until it is settled, or a conversation until the signal is aborted: stored events and
   * the model's text as it comes, each once, across interruptions of the network.
   */
  stream(target: string | { conversationId: string }, options?: StreamOptions): AsyncIterable<ReceivedEvent>;
}

/** The pause before the next stream, when a stream ended before its turn was settled. */
const settlingPauseMs = 500;

/** The turns, over HTTP. */
export function createHttpTurns(transport: ApiTransport, stored: Resources['turns']): Turns {
  const turns: Turns = {
    ...stored,
    start: (request) => startTurn(transport, request),
    wait: (turnId, options = {}) =>
      withinTime(
        { ...options, signal: transport.toSignal(options.signal) },
        `The turn ${turnId} is not settled yet`,
        (signal) => waitForTurn(turns, turnId, signal),
      ),
    cancel: async (turnId) => {
      const request = { ...toRequest(operations.cancelTurn, [turnId]), repeatable: true };
      await transport.send(request, toReader(operations.cancelTurn));
    },
    stream: (target, options = {}) => {
      const cursor = createStreamCursor(options.lastEventId);
      return streamEvents(transport, { ...toEventSource(target), cursor }, options);
    },
  };
  return turns;
}

async function startTurn(transport: ApiTransport, request: StartTurnRequest): Promise<Turn> {
  const { conversationId, idempotencyKey, ...body } = request;
  const given = [conversationId, body, {}, { idempotencyKey }];
  const { createTurn } = operations;
  return (await transport.send(toRequest(createTurn, given), toReader(createTurn))) as Turn;
}

async function waitForTurn(turns: Turns, turnId: string, signal: AbortSignal): Promise<TurnDetails> {
  for (let streams = 0; ; streams += 1) {
    const turn = await turns.get(turnId, { signal });
    if (turn.outcome !== null) return turn;
    if (streams > 0) await pause(settlingPauseMs, signal);
    const stream = turns.stream(turnId, { signal })[Symbol.asyncIterator]();
    while (!(await stream.next()).done);
  }
}

function toEventSource(target: string | { conversationId: string }) {
  if (typeof target !== 'string') {
    const { path } = toRequest(operations.streamConversationEvents, [target.conversationId]);
    return { path };
  }
  return {
    path: toRequest(operations.streamTurnEvents, [target]).path,
    isLast: ({ type, turnId }: { type: string; turnId: string }) =>
      type === 'turn.settled' && turnId === target,
  };
}
