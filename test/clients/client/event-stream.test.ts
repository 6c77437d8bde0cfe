import { describe, expect, it } from 'vitest';
import {
  createHoldfastClient,
  type ReceivedEvent,
  type StreamOptions,
} from '../../../src/clients/client/index.ts';
import {
  answerWith,
  badGateway,
  dropSocket,
  failWith,
  answerNoContent,
  quickRetry,
  startScriptedApi,
  streamFrames,
  type Reply,
  type ScriptedApi,
} from '../../servers/scripted-api.ts';
import {
  conversationId,
  toDeltaFrame,
  toResetFrame,
  toStoredFrame,
  toMessagePayload,
  toSettledPayload,
  turnId,
} from '../../servers/scripted-events.ts';

const route = `GET /api/turns/${turnId}/events`;
const conversationRoute = `GET /api/conversations/${conversationId}/events`;

const started = toStoredFrame([1, 0], 'turn.started', { message: 'hello' });
const message = toStoredFrame([2, 12], 'message.created', toMessagePayload('Hello there.'));
const settled = toStoredFrame([3, 12], 'turn.settled', toSettledPayload('Hello there.'));

async function collect(api: ScriptedApi, options?: StreamOptions): Promise<string[]> {
  const client = createHoldfastClient({ ...api, retry: quickRetry });
  const seen: string[] = [];
  for await (const event of client.turns.stream(turnId, options)) seen.push(describeEvent(event));
  return seen;
}

function describeEvent(event: ReceivedEvent): string {
  return event.type === 'text.delta'
    ? `${event.lastEventId} ${event.text}`
    : `${event.lastEventId} ${event.type}`;
}

async function startStreams(...replies: Reply[]): Promise<ScriptedApi> {
  return startScriptedApi({ [route]: replies });
}

const whole = ['1.0 turn.started', '1.11 Hello ', '1.12 there.', '2.12 message.created', '3.12 turn.settled'];

describe('following a turn', () => {
  it('delivers stored events and pieces of text in order and ends when the turn is settled', async () => {
    const frames = [
      started,
      toDeltaFrame([1, 11], 'Hello '),
      toDeltaFrame([1, 12], 'there.'),
      message,
      settled,
    ];
    const api = await startStreams(streamFrames(frames, 'silence'));
    await expect(collect(api)).resolves.toEqual(whole);
    expect(api.requests[0]?.headers['last-event-id']).toBeUndefined();
  });

  it('resumes after a lost connection and drops events that are delivered twice', async () => {
    const api = await startStreams(
      streamFrames([started, toDeltaFrame([1, 11], 'Hello ')], 'break'),
      streamFrames([started, toDeltaFrame([1, 11], 'Hello '), toDeltaFrame([1, 12], 'there.')], 'break'),
      streamFrames([toDeltaFrame([1, 12], 'there.'), message], 'end'),
      streamFrames([message, settled]),
    );
    await expect(collect(api)).resolves.toEqual(whole);
    const ids = api.requests.map(({ headers }) => headers['last-event-id']);
    expect(ids).toEqual([undefined, '1.11', '1.12', '2.12']);
  });

  it('survives refused connections, gateway errors and server errors', async () => {
    const api = await startStreams(
      dropSocket(),
      badGateway(),
      failWith(500, { code: 'INTERNAL', message: 'Broken.' }),
      failWith(503, { code: 'SERVICE_UNAVAILABLE', message: 'Starting.' }),
      streamFrames([started, settled]),
    );
    const failures: number[] = [];
    const seen = await collect(api, { onReconnect: (reconnect) => failures.push(reconnect.failures) });
    expect(seen).toEqual(['1.0 turn.started', '3.12 turn.settled']);
    expect(failures).toEqual([1, 2, 3, 4]);
  });

  it('starts after the event that the caller gives', async () => {
    const frames = [started, toDeltaFrame([1, 11], 'Hello '), toDeltaFrame([1, 12], 'there.'), settled];
    const api = await startStreams(streamFrames(frames));
    await expect(collect(api, { lastEventId: '1.11' })).resolves.toEqual([
      '1.12 there.',
      '3.12 turn.settled',
    ]);
    expect(api.requests[0]?.headers['last-event-id']).toBe('1.11');
  });

  it('yields a reset and the text of the next attempt', async () => {
    const frames = [
      toDeltaFrame([1, 11], 'Hel'),
      toResetFrame([1, 12], { attempt: 2 }),
      toDeltaFrame([1, 13], 'Hello', { attempt: 2 }),
    ];
    const api = await startStreams(streamFrames([...frames, settled]));
    await expect(collect(api)).resolves.toEqual([
      '1.11 Hel',
      '1.12 stream.reset',
      '1.13 Hello',
      '3.12 turn.settled',
    ]);
  });

  it('reads characters and frames that are split at any byte', async () => {
    const bytes = Buffer.from([toDeltaFrame([1, 11], 'Grüße 🎈'), settled].join(''));
    const api = await startStreams((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    await expect(collect(api)).resolves.toEqual(['1.11 Grüße 🎈', '3.12 turn.settled']);
  });

  it('ends when the server says that there are no more events', async () => {
    const api = await startStreams(answerNoContent());
    await expect(collect(api)).resolves.toEqual([]);
  });

  it.each([
    [404, 'NOT_FOUND'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
  ])('throws without a retry when the stream is refused with %i', async (status, code) => {
    const api = await startStreams(failWith(status, { code, message: 'No.' }));
    await expect(collect(api)).rejects.toMatchObject({ status, code });
    expect(api.requests).toHaveLength(1);
  });

  it('throws when the answer is not an event stream', async () => {
    const api = await startStreams(answerWith({ events: [] }));
    await expect(collect(api)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  });

  it('throws when the server sends nothing for too long', async () => {
    const api = await startScriptedApi({ [route]: dropSocket() });
    await expect(collect(api)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(api.requests).toHaveLength(1 + (quickRetry.reconnects ?? 0));
  });

  it('opens a stream again as often as it is cut while comments of the server arrive', async () => {
    const cuts = 3 * (quickRetry.reconnects ?? 0);
    const idle = Array.from({ length: cuts }, () => streamFrames([': keep-alive\n\n'], 'break'));
    const api = await startScriptedApi({ [route]: [...idle, streamFrames([started, settled])] });
    expect(await collect(api)).toHaveLength(2);
    expect(api.requests).toHaveLength(cuts + 1);
  });

  it('throws the reason of the caller’s signal', async () => {
    const api = await startStreams(streamFrames([started], 'silence'));
    const controller = new AbortController();
    const client = createHoldfastClient({ ...api, retry: quickRetry });
    const follow = async () => {
      for await (const event of client.turns.stream(turnId, { signal: controller.signal })) {
        expect(event.type).toBe('turn.started');
        controller.abort(new Error('enough'));
      }
    };
    await expect(follow()).rejects.toThrow('enough');
  });

  it('closes the connection when the caller stops reading', async () => {
    const closed = Promise.withResolvers<undefined>();
    const api = await startStreams((response, request) => {
      response.once('close', () => closed.resolve(undefined));
      streamFrames([started], 'silence')(response, request);
    });
    const client = createHoldfastClient({ ...api, retry: quickRetry });
    for await (const event of client.turns.stream(turnId)) {
      expect(event.lastEventId).toBe('1.0');
      break;
    }
    await closed.promise;
  });
});

describe('following a conversation', () => {
  it('continues after a settled turn until the server has no more events', async () => {
    const api = await startScriptedApi({
      [conversationRoute]: [streamFrames([started, settled]), answerNoContent()],
    });
    const client = createHoldfastClient({ ...api, retry: quickRetry });
    const seen: string[] = [];
    for await (const event of client.turns.stream({ conversationId })) seen.push(event.type);
    expect(seen).toEqual(['turn.started', 'turn.settled']);
    expect(api.requests[1]?.headers['last-event-id']).toBe('3.12');
  });
});
