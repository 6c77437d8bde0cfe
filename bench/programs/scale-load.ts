import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { messageCharacters, type LoadOrder, type LoadRequests, type LoadTurn } from './contract.ts';
import { followConversation } from './follow-conversation.ts';
import { serve } from './serve.ts';

let finished: LoadTurn[] = [];
let stopping = new AbortController();
let running: Promise<unknown> = Promise.resolve();

/** Sends messages to one conversation, each as soon as the turn before has ended, and reads its stream all the time. */
async function chat(order: LoadOrder, index: number): Promise<void> {
  const { origins, apiKey, agentId, inFlight, spreadMs = 0 } = order;
  await sleep((index * spreadMs) / inFlight);
  const origin = origins[index % origins.length] ?? '';
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const post = async (resource: string, body: object): Promise<unknown> => {
    const response = await fetch(origin + resource, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { success: boolean; data: unknown };
    if (!answer.success) throw new Error(`${resource} answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const created = (await post('/api/conversations', { agentId })) as { conversation: { id: string } };
  const resource = `/api/conversations/${created.conversation.id}`;
  const stream = await followConversation({ url: `${origin}${resource}/events`, apiKey });
  while (!stopping.signal.aborted) {
    const tag = randomUUID();
    const sentAt = monotonicMs();
    const settled = stream.nextTurn();
    await post(`${resource}/turns`, { message: tag.padEnd(messageCharacters, ' u') });
    const acceptedAt = monotonicMs();
    const turn = await settled;
    finished.push({ tag, sentAt, acceptedAt, endedAt: monotonicMs(), ...turn });
  }
  stream.close();
}

const requests: LoadRequests = {
  start: (order) => {
    stopping = new AbortController();
    finished = [];
    running = Promise.all(Array.from({ length: order.inFlight }, (_, index) => chat(order, index)));
    // `stop` rejects with a failure; until then it is no unhandled rejection.
    running.catch(() => undefined);
    return Promise.resolve();
  },
  take: () => {
    const taken = finished;
    finished = [];
    return Promise.resolve(taken);
  },
  stop: async () => {
    stopping.abort();
    await running;
  },
};

serve(requests);
