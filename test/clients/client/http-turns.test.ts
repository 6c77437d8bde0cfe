import { describe, expect, it } from 'vitest';
import { createHoldfastClient, HoldfastApiError } from '../../../src/clients/client/index.ts';
import {
  answerWith,
  badGateway,
  dropSocket,
  failWith,
  quickRetry,
  startScriptedApi,
  streamFrames,
  streamOrPage,
  type Script,
} from '../../servers/scripted-api.ts';
import {
  conversationId,
  toStoredFrame,
  toSettledPayload,
  toStoredEvent,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

const startRoute = `POST /api/conversations/${conversationId}/turns`;
const getRoute = `GET /api/turns/${turnId}`;
const eventsRoute = `GET /api/turns/${turnId}/events`;
const cancelRoute = `POST /api/turns/${turnId}/cancel`;

async function startClient(script: Script) {
  const api = await startScriptedApi(script);
  return { api, client: createHoldfastClient({ ...api, retry: quickRetry }) };
}

const hello = { conversationId, message: 'hello' };

describe('starting a turn over HTTP', () => {
  it('sends the message with a new idempotency key for each call', async () => {
    const { api, client } = await startClient({ [startRoute]: answerWith({ turn: toTurn() }, 202) });
    const turn = await client.turns.start(hello);
    await client.turns.start({ ...hello, onBusy: 'enqueue' });
    expect(turn).toMatchObject({ id: turnId, conversationId, status: 'running' });
    const [first, second] = api.to(startRoute);
    expect(first?.body).toEqual({ message: 'hello' });
    expect(second?.body).toEqual({ message: 'hello', onBusy: 'enqueue' });
    expect(first?.headers['idempotency-key']).toMatch(/^[\w-]{20,}$/);
    expect(first?.headers['idempotency-key']).not.toBe(second?.headers['idempotency-key']);
  });

  it('repeats a start that got no answer with the same idempotency key', async () => {
    const { api, client } = await startClient({
      [startRoute]: [
        dropSocket(),
        badGateway(502),
        failWith(503, { code: 'SERVICE_UNAVAILABLE', message: 'Starting.' }),
        answerWith({ turn: toTurn() }),
      ],
    });
    await client.turns.start(hello);
    const keys = api.to(startRoute).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  it('sends the idempotency key of the caller', async () => {
    const { api, client } = await startClient({ [startRoute]: answerWith({ turn: toTurn() }) });
    await client.turns.start({ ...hello, idempotencyKey: 'order-17' });
    expect(api.requests[0]?.headers['idempotency-key']).toBe('order-17');
  });

  it('fails after the last attempt and names the address that did not answer', async () => {
    const { api, client } = await startClient({ [startRoute]: dropSocket() });
    const error = await client.turns.start(hello).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HoldfastApiError);
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
    expect((error as Error).message).toContain(api.baseUrl);
    expect(api.requests).toHaveLength(quickRetry.attempts ?? 0);
  });

  it('does not repeat a refused request, and reports code, status and details', async () => {
    const details = { turnId: 'another' };
    const { api, client } = await startClient({
      [startRoute]: failWith(409, { code: 'TURN_RUNNING', message: 'A turn runs already.', details }),
    });
    await expect(client.turns.start(hello)).rejects.toMatchObject({
      name: 'HoldfastApiError',
      code: 'TURN_RUNNING',
      status: 409,
      message: 'A turn runs already.',
      details,
    });
    expect(api.requests).toHaveLength(1);
  });

  it('reports an answer that does not come from the API', async () => {
    const { client } = await startClient({ [startRoute]: badGateway(404) });
    await expect(client.turns.start(hello)).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      status: 404,
    });
  });
});

describe('waiting for a turn over HTTP', () => {
  const settled = toStoredFrame([2, 0], 'turn.settled', toSettledPayload('Hello.'));

  it('follows the stream until the turn is settled and returns it', async () => {
    const turn = toTurn({ outcome: 'completed', answer: 'Hello.' });
    const { api, client } = await startClient({
      [getRoute]: [answerWith({ turn: toTurn() }), answerWith({ turn })],
      [eventsRoute]: [streamFrames([], 'break'), streamFrames([settled])],
    });
    await expect(client.turns.wait(turnId)).resolves.toEqual(turn);
    expect(api.to(eventsRoute)).toHaveLength(2);
  });

  it('returns a settled turn at once', async () => {
    const turn = toTurn({ outcome: 'failed', answer: 'It failed.' });
    const { api, client } = await startClient({ [getRoute]: answerWith({ turn }) });
    await expect(client.turns.wait(turnId)).resolves.toEqual(turn);
    expect(api.requests).toHaveLength(1);
  });

  it('stops when its time limit is over, and does not cancel the turn', async () => {
    const { api, client } = await startClient({
      [getRoute]: answerWith({ turn: toTurn() }),
      [eventsRoute]: streamFrames([], 'silence'),
    });
    await expect(client.turns.wait(turnId, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'WAIT_TIMED_OUT',
    });
    expect(api.to(cancelRoute)).toHaveLength(0);
  });

  it('throws the reason of the caller’s signal', async () => {
    const { client } = await startClient({
      [getRoute]: answerWith({ turn: toTurn() }),
      [eventsRoute]: streamFrames([], 'silence'),
    });
    const controller = new AbortController();
    const waiting = client.turns.wait(turnId, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('the other functions for turns', () => {
  it('cancel a turn, and retry when the connection was lost', async () => {
    const { api, client } = await startClient({
      [cancelRoute]: [dropSocket(), answerWith({ turn: toTurn() })],
    });
    await client.turns.cancel(turnId);
    expect(api.to(cancelRoute)).toHaveLength(2);
  });

  it('list the turns of a conversation page by page', async () => {
    const route = `GET /api/conversations/${conversationId}/turns`;
    const { api, client } = await startClient({
      [route]: answerWith({ turns: [toTurn()], nextCursor: 'next' }),
    });
    const page = await client.turns.list(conversationId, { cursor: 'here', limit: 5 });
    expect(page).toEqual({ items: [toTurn()], nextCursor: 'next' });
    expect(api.requests[0]?.query).toEqual({ cursor: 'here', limit: '5' });
  });

  it('read the stored events of a turn', async () => {
    const events = [toStoredEvent(1, 'turn.started', { message: 'hello' })];
    const page = streamOrPage(streamFrames([]), answerWith({ events, nextCursor: null }));
    const { client } = await startClient({ [eventsRoute]: page });
    await expect(client.turns.events(turnId)).resolves.toEqual({ items: events, nextCursor: null });
  });
});
