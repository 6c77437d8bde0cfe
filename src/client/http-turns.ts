import { randomUUID } from 'node:crypto';
import type { Turn, TurnDetails } from '../domain/turn.ts';
import { streamEvents } from './event-stream.ts';
import type { HttpConnection } from './http-connection.ts';
import { readPage, toPath } from './resources.ts';
import { pause } from './retry.ts';
import { withinTime } from './time-limit.ts';
import type { StartTurnRequest, Turns } from './turns.ts';

/** When a stream ended and its turn is not settled, the next one is not opened at once. */
const settlingPauseMs = 500;

/** The turns, over HTTP. */
export function createHttpTurns(connection: HttpConnection): Turns {
  const turns: Turns = {
    start: (request) => startTurn(connection, request),
    get: async (turnId, options) => {
      const data = await connection.request({ path: toTurnPath(turnId), signal: options?.signal });
      return (data as { turn: TurnDetails }).turn;
    },
    wait: (turnId, options = {}) =>
      withinTime(options, `The turn ${turnId} is not settled yet`, (signal) =>
        waitForTurn(turns, turnId, signal),
      ),
    cancel: async (turnId) => {
      await connection.request({ method: 'POST', path: `${toTurnPath(turnId)}/cancel`, repeatable: true });
    },
    list: (conversationId, page) =>
      readPage(connection, `${toConversationPath(conversationId)}/turns`, { name: 'turns', page }),
    events: (turnId, page) => readPage(connection, `${toTurnPath(turnId)}/events`, { name: 'events', page }),
    stream: (target, options = {}) => streamEvents(connection, toEventSource(target), options),
  };
  return turns;
}

async function startTurn(connection: HttpConnection, request: StartTurnRequest): Promise<Turn> {
  const { conversationId, message, onBusy, idempotencyKey = randomUUID() } = request;
  const data = await connection.request({
    method: 'POST',
    path: `${toConversationPath(conversationId)}/turns`,
    headers: { 'idempotency-key': idempotencyKey },
    body: { message, ...(onBusy === undefined ? {} : { onBusy }) },
    repeatable: true,
  });
  return (data as { turn: Turn }).turn;
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
    return { path: `${toConversationPath(target.conversationId)}/events`, isLast: () => false };
  }
  return {
    path: `${toTurnPath(target)}/events`,
    isLast: ({ type, turnId }: { type: string; turnId: string }) =>
      type === 'turn.settled' && turnId === target,
  };
}

function toTurnPath(turnId: string): string {
  return toPath('/api/turns', turnId);
}

function toConversationPath(conversationId: string): string {
  return toPath('/api/conversations', conversationId);
}
