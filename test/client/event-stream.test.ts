import { describe, expect, it } from 'vitest';
import { createHoldfastClient, type ReceivedEvent, type StreamOptions } from '../../src/client/index.ts';
import {
  answer,
  badGateway,
  drop,
  fail,
  nothingMore,
  quickRetry,
  startScriptedApi,
  stream,
  type Reply,
  type ScriptedApi,
} from '../servers/scripted-api.ts';
import {
  conversationId,
  delta,
  reset,
  stored,
  toMessage,
  toSettled,
  turnId,
} from '../servers/scripted-events.ts';

const route = `GET /api/turns/${turnId}/events`;
const conversationRoute = `GET /api/conversations/${conversationId}/events`;

const started = stored([1, 0], 'turn.started', { message: 'hello' });
const message = stored([2, 12], 'message.created', toMessage('Hello there.'));
const settled = stored([3, 12], 'turn.settled', toSettled('Hello there.'));

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
    const frames = [started, delta([1, 11], 'Hello '), delta([1, 12], 'there.'), message, settled];
    const api = await startStreams(stream(frames, 'silence'));
    await expect(collect(api)).resolves.toEqual(whole);
    expect(api.requests[0]?.headers['last-event-id']).toBeUndefined();
  });

  it('goes on after a lost connection where it was, dropping what is delivered twice', async () => {
    const api = await startStreams(
      stream([started, delta([1, 11], 'Hello ')], 'break'),
      stream([started, delta([1, 11], 'Hello '), delta([1, 12], 'there.')], 'break'),
      stream([delta([1, 12], 'there.'), message], 'end'),
      stream([message, settled]),
    );
    await expect(collect(api)).resolves.toEqual(whole);
    const ids = api.requests.map(({ headers }) => headers['last-event-id']);
    expect(ids).toEqual([undefined, '1.11', '1.12', '2.12']);
  });

  it('survives refused connections, gateways without a server and a server in trouble', async () => {
    const api = await startStreams(
      drop(),
      badGateway(),
      fail(500, { code: 'INTERNAL', message: 'Broken.' }),
      fail(503, { code: 'SERVICE_UNAVAILABLE', message: 'Starting.' }),
      stream([started, settled]),
    );
    const failures: number[] = [];
    const seen = await collect(api, { onReconnect: (reconnect) => failures.push(reconnect.failures) });
    expect(seen).toEqual(['1.0 turn.started', '3.12 turn.settled']);
    expect(failures).toEqual([1, 2, 3, 4]);
  });

  it('starts after the event that the caller names', async () => {
    const frames = [started, delta([1, 11], 'Hello '), delta([1, 12], 'there.'), settled];
    const api = await startStreams(stream(frames));
    await expect(collect(api, { lastEventId: '1.11' })).resolves.toEqual([
      '1.12 there.',
      '3.12 turn.settled',
    ]);
    expect(api.requests[0]?.headers['last-event-id']).toBe('1.11');
  });

  it('passes on a reset and the text of the next attempt', async () => {
    const frames = [
      delta([1, 11], 'Hel'),
      reset([1, 12], { attempt: 2 }),
      delta([1, 13], 'Hello', { attempt: 2 }),
    ];
    const api = await startStreams(stream([...frames, settled]));
    await expect(collect(api)).resolves.toEqual([
      '1.11 Hel',
      '1.12 stream.reset',
      '1.13 Hello',
      '3.12 turn.settled',
    ]);
  });

  it('reads characters and frames that are cut anywhere', async () => {
    const bytes = Buffer.from([delta([1, 11], 'Grüße 🎈'), settled].join(''));
    const api = await startStreams((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    await expect(collect(api)).resolves.toEqual(['1.11 Grüße 🎈', '3.12 turn.settled']);
  });

  it('ends when the server has nothing more', async () => {
    const api = await startStreams(nothingMore());
    await expect(collect(api)).resolves.toEqual([]);
  });

  it.each([
    [404, 'NOT_FOUND'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
  ])('throws at once when the stream is refused with %i', async (status, code) => {
    const api = await startStreams(fail(status, { code, message: 'No.' }));
    await expect(collect(api)).rejects.toMatchObject({ status, code });
    expect(api.requests).toHaveLength(1);
  });

  it('throws when the answer is no stream', async () => {
    const api = await startStreams(answer({ events: [] }));
    await expect(collect(api)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  });

  it('gives up when nothing comes any more', async () => {
    const api = await startScriptedApi({ [route]: drop() });
    await expect(collect(api)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(api.requests).toHaveLength(1 + (quickRetry.reconnects ?? 0));
  });

  it('throws the reason of the caller’s signal', async () => {
    const api = await startStreams(stream([started], 'silence'));
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
      stream([started], 'silence')(response, request);
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
  it('goes on after a settled turn until the server has nothing more', async () => {
    const api = await startScriptedApi({ [conversationRoute]: [stream([started, settled]), nothingMore()] });
    const client = createHoldfastClient({ ...api, retry: quickRetry });
    const seen: string[] = [];
    for await (const event of client.turns.stream({ conversationId })) seen.push(event.type);
    expect(seen).toEqual(['turn.started', 'turn.settled']);
    expect(api.requests[1]?.headers['last-event-id']).toBe('3.12');
  });
});
