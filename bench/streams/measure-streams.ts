import { get, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The API that is measured. */
export interface MeasuredApi {
  origin: string;
  apiKey: string;
}

/** The times of requests, in milliseconds, while so many streams are open. */
export interface StreamsRow {
  name: string;
  without: number[];
  with: number[];
}

interface MeasureOptions {
  streams: number;
  /** How many requests of each kind are measured in a round, once without and once with the streams. */
  requests: number;
  rounds: number;
}

/** How many streams and conversations are opened at a time. */
const groupSize = 50;
/** How long the API has after streams were opened or closed, before it is measured. */
const restMs = 5_000;

/** Measures requests in turns without and with open streams, each stream on its own conversation. */
export async function measureStreams(
  api: MeasuredApi,
  { streams, requests, rounds }: MeasureOptions,
): Promise<StreamsRow[]> {
  const ask = createAsk(api);
  const conversationIds = await createConversations(ask, streams);
  const [first = ''] = conversationIds;
  const kinds: Record<string, () => Promise<unknown>> = {
    'read a conversation': () => ask('GET', `/api/conversations/${first}`),
    'list turns': () => ask('GET', `/api/conversations/${first}/turns`),
    'create an agent': () => ask('POST', '/api/agents', plainAgent),
  };
  const rows = Object.keys(kinds).map((name): StreamsRow => ({ name, without: [], with: [] }));
  const measure = async (when: 'without' | 'with') => {
    await sleep(restMs);
    for (let request = 0; request < requests; request += 1) {
      for (const row of rows) row[when].push(await timeOf(kinds[row.name]));
    }
  };
  // The first measurement is slower, since the API compiles its code then.
  await measure('without');
  for (const row of rows) row.without = [];
  for (let round = 0; round < rounds; round += 1) {
    await measure('without');
    const opened = await openStreams(api, conversationIds);
    await measure('with');
    for (const stream of opened) stream.destroy();
  }
  return rows;
}

const plainAgent = { name: 'Plain', model: 'demo', instructions: 'Answer.' };

async function timeOf(run: (() => Promise<unknown>) | undefined): Promise<number> {
  const startedAt = performance.now();
  await run?.();
  return performance.now() - startedAt;
}

type Ask = <Data>(method: string, resource: string, body?: unknown) => Promise<Data>;

async function createConversations(ask: Ask, count: number): Promise<string[]> {
  const { agent } = await ask<{ agent: { id: string } }>('POST', '/api/agents', plainAgent);
  return inGroups(count, async () => {
    const body = { agentId: agent.id };
    const { conversation } = await ask<{ conversation: { id: string } }>('POST', '/api/conversations', body);
    return conversation.id;
  });
}

function openStreams({ origin, apiKey }: MeasuredApi, conversationIds: string[]): Promise<ClientRequest[]> {
  return inGroups(conversationIds.length, (index) => {
    const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>();
    const request = get(`${origin}/api/conversations/${conversationIds[index] ?? ''}/events`, {
      headers: { authorization: `Bearer ${apiKey}` },
      agent: false,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', () => undefined).resume();
      if (response.statusCode === 200) resolve(request);
      else reject(new Error(`a stream was answered with ${response.statusCode}`));
    });
    return promise;
  });
}

async function inGroups<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const size = Math.min(groupSize, count - results.length);
    const start = results.length;
    results.push(...(await Promise.all(Array.from({ length: size }, (_, index) => run(start + index)))));
  }
  return results;
}

function createAsk({ origin, apiKey }: MeasuredApi): Ask {
  return async <Data>(method: string, resource: string, body?: unknown): Promise<Data> => {
    const response = await fetch(origin + resource, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { success: boolean; data: Data };
    if (!answer.success) throw new Error(`${method} ${resource} answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
}
