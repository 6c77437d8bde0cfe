import { beforeAll, expect, it, vi } from 'vitest';
import {
  createHoldfastClient,
  type HoldfastClient,
  type StreamOptions,
} from '../../../src/clients/client/index.ts';
import { runCli, startCli } from '../../labs/run-cli.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createTurnPlayer } from '../../labs/turn-player.ts';

let api: Api;
let client: HoldfastClient;

beforeAll(async () => {
  api = await shareApi();
  client = createHoldfastClient({ baseUrl: api.url, apiKey: api.key });
});

async function startTurn(message = 'Hello') {
  const agent = await client.agents.create(plainAgent);
  const conversation = await client.conversations.create({ agentId: agent.id });
  const turn = await client.turns.start({ conversationId: conversation.id, message });
  const player = createTurnPlayer(api, { conversationId: conversation.id, turnId: turn.id });
  return { agent, conversationId: conversation.id, turnId: turn.id, player };
}

async function collectText(follower: HoldfastClient, turnId: string, options?: StreamOptions) {
  let text = '';
  const types: string[] = [];
  for await (const event of follower.turns.stream(turnId, options)) {
    if (event.type === 'text.delta') text += event.text;
    else types.push(event.type);
  }
  return { text, types };
}

/** Ends each stream after its first piece, as a network does that cannot hold a connection. */
const breakingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body)
    return response;
  let pieces = 0;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      controller.enqueue(piece);
      pieces += 1;
      if (pieces === 2) controller.error(new Error('the connection was lost'));
    },
  });
  return new Response(response.body.pipeThrough(cut), response);
};

it('the client starts a turn once per key, and a key that comes with another message is refused', async () => {
  const { conversationId } = await startTurn();
  const request = { conversationId, message: 'next', idempotencyKey: 'order-17', onBusy: 'enqueue' as const };
  const first = await client.turns.start(request);
  const second = await client.turns.start(request);
  expect(second.id).toBe(first.id);
  expect(first.status).toBe('queued');
  await expect(client.turns.start({ ...request, message: 'other' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

it('the client reports the running turn of a busy conversation and the invalid fields of a request', async () => {
  const { conversationId, turnId } = await startTurn();
  const error = await client.turns
    .start({ conversationId, message: 'next' })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TURN_RUNNING', status: 409 });
  expect(JSON.stringify((error as { details: unknown }).details)).toContain(turnId);
  await expect(client.turns.start({ conversationId, message: '' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    status: 400,
  });
});

it('the client follows and awaits a turn while it runs', async () => {
  const { turnId, player } = await startTurn();
  const following = collectText(client, turnId);
  const waiting = client.turns.wait(turnId, { timeoutMs: 30_000 });
  await player.chunk(1, 'Hel');
  await player.chunk(1, 'lo.');
  await player.message(1, 'Hello.');
  await player.tool(1);
  await player.settle('Hello.');
  const { text, types } = await following;
  expect(text).toBe('Hello.');
  expect(types.slice(-4)).toEqual(['message.created', 'tool.started', 'tool.executed', 'turn.settled']);
  await expect(waiting).resolves.toMatchObject({ id: turnId, outcome: 'completed', answer: 'Hello.' });
  await expect(collectText(client, turnId)).resolves.toMatchObject({ types });
});

it('the client misses and repeats no event when every connection breaks', async () => {
  const { turnId, player } = await startTurn();
  const retry = { delayMs: 1 };
  const broken = createHoldfastClient({ baseUrl: api.url, apiKey: api.key, fetch: breakingFetch, retry });
  const words = ['one ', 'two ', 'three ', 'four'];
  const seen: string[] = [];
  for (const word of words.slice(0, 2)) await player.chunk(1, word);
  for await (const event of broken.turns.stream(turnId)) {
    if (event.type === 'text.delta') seen.push(event.text);
    if (event.type === 'text.delta' && event.text === 'two ') {
      for (const word of words.slice(2)) await player.chunk(1, word);
    }
    if (event.type === 'text.delta' && event.text === 'four') {
      await player.message(1, words.join(''));
      await player.settle(words.join(''));
    }
    if (event.type !== 'text.delta') seen.push(event.type);
  }
  expect(seen).toEqual(['turn.started', ...words, 'message.created', 'turn.settled']);
});

it('the client reads the stored data of a conversation and cancels a turn', async () => {
  const { conversationId, turnId, player } = await startTurn('What is it?');
  await client.turns.cancel(turnId);
  expect(api.calls.cancelled).toContain(turnId);
  await player.message(1, 'It is this.');
  await player.settle('It is this.');
  const turns = await client.turns.list(conversationId);
  expect(turns.items.map(({ id, answer }) => [id, answer])).toEqual([[turnId, 'It is this.']]);
  const messages = await client.conversations.messages(conversationId);
  expect(messages.items[0]).toMatchObject({ role: 'user', text: 'What is it?' });
  const first = await client.turns.events(turnId, { limit: 1 });
  const rest = await client.turns.events(turnId, { cursor: first.nextCursor ?? '' });
  expect([...first.items, ...rest.items].map(({ seq }) => seq)).toEqual([1, 2, 3]);
  await expect(client.turns.get(turnId)).resolves.toMatchObject({ outcome: 'completed', toolCalls: [] });
});

it('the client updates, lists and deletes agents', async () => {
  const { agent } = await startTurn();
  const changed = await client.agents.update(agent.id, { instructions: 'Answer briefly.' });
  expect(changed).toMatchObject({ id: agent.id, version: agent.version + 1 });
  const page = await client.agents.list({ limit: 100 });
  expect(page.items.map(({ id }) => id)).toContain(agent.id);
  await client.agents.delete(agent.id);
  await expect(client.agents.get(agent.id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
});

it('holdfast chat runs a turn and shows its timeline in the terminal', async () => {
  const { conversationId, turnId: earlier, player: earlierPlayer } = await startTurn();
  await earlierPlayer.settle('Earlier.');
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const chat = startCli(['chat', '--conversation', conversationId, '--once', 'Hello again'], { environment });
  const turnId = await findTurnAfter(conversationId, earlier);
  const player = createTurnPlayer(api, { conversationId, turnId });
  await player.chunk(1, 'Good ');
  await chat.shows('Good ');
  await player.chunk(1, 'day.');
  await player.message(1, 'Good day.');
  await player.settle('Good day.');
  await expect(chat.ended).resolves.toEqual({ code: 0, stdout: 'Good day.\n', stderr: '' });
  const shown = await runCli(['turns', 'show', turnId], { environment });
  expect(shown.stdout).toMatch(
    /turn\.started .*Hello again[^]*message\.created[^]*turn\.settled[^]*Good day\.\n$/,
  );
});

async function findTurnAfter(conversationId: string, earlier: string): Promise<string> {
  const find = async () => {
    const { items } = await client.turns.list(conversationId);
    return items.find(({ id }) => id !== earlier)?.id;
  };
  return vi.waitUntil(find, { timeout: 30_000, interval: 100 });
}
