import { expect, it } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { toPageEvent, toSse } from '../../../src/clients/handlers/index.ts';
import { readAllSent, readSent, toText } from '../../labs/sent-events.ts';
import {
  answerNoContent,
  failWith,
  quickRetry,
  startScriptedApi,
  streamFrames,
  type Reply,
} from '../../servers/scripted-api.ts';
import {
  toCall,
  toDeltaFrame,
  toMessagePayload,
  toSettledPayload,
  toStoredFrame,
  turnId,
} from '../../servers/scripted-events.ts';

const route = `GET /api/turns/${turnId}/events`;

const started = toStoredFrame([1, 0], 'turn.started', { message: 'Hello?' });
const pieces = [toDeltaFrame([1, 11], 'Hel'), toDeltaFrame([1, 12], 'lo.')];
const settled = toStoredFrame([2, 12], 'turn.settled', toSettledPayload('Hello.'));

async function startStream(...replies: Reply[]) {
  const api = await startScriptedApi({ [route]: replies });
  return { api, holdfast: createHoldfastClient({ ...api, retry: quickRetry }) };
}

it('sends each event with its type, its JSON and the cursor of the API, and ends with the turn', async () => {
  const { holdfast } = await startStream(streamFrames([started, ...pieces, settled], 'silence'));
  const response = await toSse(holdfast, turnId);
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
  ]).toEqual([...[200, 'text/event-stream; charset=utf-8', 'no-cache, no-transform']]);
  const frames = await readAllSent(response);
  expect(frames.map(({ id, event }) => `${id ?? ''} ${event}`)).toEqual([
    ...['1.0 turn.started', '1.11 text.delta', '1.12 text.delta', '2.12 turn.settled'],
  ]);
  expect(frames[1]?.data).toMatchObject({ type: 'text.delta', turnId, text: 'Hel' });
  expect(toText(frames)).toBe('Hello.');
});

it('continues after the event that the reader has', async () => {
  const { api, holdfast } = await startStream(streamFrames([pieces[1] ?? '', settled]));
  const frames = await readAllSent(await toSse(holdfast, turnId, { lastEventId: '1.11' }));
  expect(frames.map(({ id }) => id)).toEqual(['1.12', '2.12']);
  expect(api.requests[0]?.headers['last-event-id']).toBe('1.11');
});

it('answers 204 to a reader that has the last event, which an EventSource takes as the end', async () => {
  const { holdfast } = await startStream(answerNoContent());
  const response = await toSse(holdfast, turnId, { lastEventId: '2.12' });
  expect([response.status, response.body]).toEqual([204, null]);
});

it('throws what the API refuses before the response begins', async () => {
  const { holdfast } = await startStream(failWith(404, { code: 'NOT_FOUND', message: 'No such turn.' }));
  await expect(toSse(holdfast, turnId)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

it('begins at once with an opening, and sends a refusal as the last event', async () => {
  const secret = 'planted address';
  const { holdfast } = await startStream(failWith(401, { code: 'UNAUTHORIZED', message: secret }));
  const errors: unknown[] = [];
  const opening = { type: 'turn.accepted', turnId };
  const response = await toSse(holdfast, turnId, { opening, onError: (error) => errors.push(error) });
  const frames = await readAllSent(response);
  expect(frames).toMatchObject([
    { id: undefined, event: 'turn.accepted', data: { turnId } },
    { id: undefined, event: 'stream.error', data: { error: { code: 'SERVICE_UNAVAILABLE' } } },
  ]);
  expect(JSON.stringify(frames)).not.toContain(secret);
  expect(errors).toMatchObject([{ code: 'UNAUTHORIZED', message: secret }]);
});

it('sends comments while the API is silent', async () => {
  const { holdfast } = await startStream(streamFrames([started], 'silence'));
  const commented = Promise.withResolvers<string>();
  const reader = readSent(await toSse(holdfast, turnId, { heartbeatMs: 5 }), commented.resolve);
  await reader.next();
  const rest = reader.next();
  expect(await commented.promise).toBe('keep-alive');
  expect(await Promise.race([rest, Promise.resolve('nothing')])).toBe('nothing');
});

it('ends the stream of the API when the reader goes away', async () => {
  const closed = Promise.withResolvers<string>();
  const { holdfast } = await startStream((response, request) => {
    response.on('close', () => closed.resolve('closed'));
    streamFrames([started], 'silence')(response, request);
  });
  const reader = readSent(await toSse(holdfast, turnId));
  await reader.next();
  await reader.return();
  expect(await closed.promise).toBe('closed');
});

it('ends both streams when its signal is aborted', async () => {
  const closed = Promise.withResolvers<string>();
  const { holdfast } = await startStream((response, request) => {
    response.on('close', () => closed.resolve('closed'));
    streamFrames([started], 'silence')(response, request);
  });
  const leaving = new AbortController();
  const reader = readSent(await toSse(holdfast, turnId, { signal: leaving.signal }));
  await reader.next();
  leaving.abort();
  expect((await reader.next()).done).toBe(true);
  expect(await closed.promise).toBe('closed');
});

it('leaves out what a page need not know, and keeps the cursors', async () => {
  const call = { ...toCall(), type: 'mcp' as const, arguments: { card: 'planted' } };
  const error = { code: 'TOOL_FAILED' as const, message: 'It failed.', details: { internal: 'planted' } };
  const { holdfast } = await startStream(
    streamFrames([
      started,
      toStoredFrame([2, 0], 'message.created', {
        ...toMessagePayload('I look.', { toolCalls: [call] }),
        reasoning: 'planted',
      }),
      toStoredFrame([3, 0], 'tool.executed', { ...toCall(), durationMs: 1, resultPreview: 'planted' }),
      toStoredFrame([4, 0], 'tool.failed', { ...toCall(1), durationMs: 1, error }),
      toStoredFrame([5, 0], 'model.passed', { iteration: 1, model: 'planted', next: 'planted', error }),
      toStoredFrame([6, 0], 'turn.settled', toSettledPayload('It failed.', { outcome: 'failed', error })),
    ]),
  );
  const frames = await readAllSent(await toSse(holdfast, turnId, { toEvent: toPageEvent }));
  expect(frames.map(({ id, event }) => `${id ?? ''} ${event}`)).toEqual([
    ...[
      '1.0 turn.started',
      '2.0 message.created',
      '3.0 tool.executed',
      '4.0 tool.failed',
      '6.0 turn.settled',
    ],
  ]);
  expect(JSON.stringify(frames)).not.toContain('planted');
  expect(frames.at(-1)?.data['payload']).toEqual({
    ...{ outcome: 'failed', answer: 'It failed.', error: { code: 'TOOL_FAILED', message: 'It failed.' } },
  });
});
