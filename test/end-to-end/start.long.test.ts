import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ConversationEvent, StreamChunk } from '../../src/domain/event.ts';
import { findRunning, type Running } from '../../src/main/running.ts';
import { openWatched, startChromium } from '../labs/chromium/chromium.ts';
import { eventually } from '../labs/eventually.ts';
import { createHttpUser, type Frame, type HttpUser } from '../labs/http-user.ts';
import { listProcessesOf } from '../labs/processes-of.ts';
import { runTyped, typeCommand, type TypedCommand } from '../labs/typed-command.ts';

let folder: string;
let dataDir: string;
let start: TypedCommand;
let running: Running;
let user: HttpUser;
let conversationPath: string;
/** All that came over the stream of the conversation, over both of its connections. */
const frames: Frame[] = [];
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  dataDir = path.join(folder, 'data');
  await startEverything();
});
afterAll(() => stack.disposeAsync());

async function startEverything(): Promise<void> {
  start = stack.use(
    typeCommand(`npm start -- --data '${dataDir}'`, {
      variables: { PORT: '0', HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') },
    }),
  );
  await start.printed('Ctrl-C stops everything.');
  const found = findRunning(dataDir);
  if (found === undefined) throw new Error('running.json is missing');
  running = found;
  user = createHttpUser({ origin: running.api, apiKey: readKey() });
}

function readKey(): string {
  return readFileSync(path.join(dataDir, 'development-key'), 'utf8').trim();
}

async function openConversation(): Promise<string> {
  const sum = {
    type: 'mcp',
    name: 'get-sum',
    description: 'Returns the sum of two numbers',
    schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    config: { server: 'everything' },
    settings: { effect: 'read_only' },
  };
  const agent = { name: 'Adder', model: 'demo', instructions: 'You add.', tools: [sum] };
  const created = (await user.request('/api/agents', agent)) as { agent: { id: string } };
  const opened = (await user.request('/api/conversations', { agentId: created.agent.id })) as {
    conversation: { id: string };
  };
  return `/api/conversations/${opened.conversation.id}`;
}

async function send(message: string): Promise<string> {
  const { turn } = (await user.request(`${conversationPath}/turns`, { message })) as { turn: { id: string } };
  return turn.id;
}

/** Follows the conversation from where the reader is, until an event of that type comes. */
async function followUntil(type: Frame['event']['type'], whileConnected?: () => Promise<unknown>) {
  const stream = user.follow(`${conversationPath}/events`, frames.at(-1)?.id);
  const first = stream.next();
  await whileConnected?.();
  for (let next = await first; next.done !== true; next = await stream.next()) {
    frames.push(next.value);
    if (next.value.event.type === type) break;
  }
  await stream.return();
}

function isStored(event: Frame['event']): event is ConversationEvent {
  return 'seq' in event;
}

function listTypes(turnId: string, iteration?: number): string[] {
  const types = frames
    .filter(({ event }) => event.turnId === turnId)
    .filter(({ event }) => iteration === undefined || isStored(event) || event.iteration === iteration)
    .map(({ event }) => event.type);
  // Text comes in any number of pieces.
  return types.filter((type, index) => type !== 'text.delta' || types[index - 1] !== 'text.delta');
}

function joinText(turnId: string, iteration: number): string {
  let text = '';
  for (const { event } of frames) {
    if (isStored(event) || event.turnId !== turnId || event.iteration !== iteration) continue;
    text = toText(text, event);
  }
  return text;
}

function toText(before: string, chunk: StreamChunk): string {
  return chunk.type === 'stream.reset' ? '' : before + chunk.text;
}

function findMessage(turnId: string, iteration: number): string | undefined {
  const events = frames.map(({ event }) => event).filter((event) => event.turnId === turnId);
  const message = events.find(
    (event) => event.type === 'message.created' && event.payload.iteration === iteration,
  );
  return message?.type === 'message.created' ? message.payload.text : undefined;
}

describe('a person who has cloned the repository', () => {
  it('starts everything with one command, and the printed request works', async () => {
    const lines = start.output().split('\n');
    const typed = lines.filter((line) => line.startsWith('  . ') || line.startsWith('  curl '));
    expect(typed).toHaveLength(2);
    const answer = JSON.parse(await runTyped(typed.join('\n'))) as { data: { turn: { id: string } } };
    expect(answer.data.turn).toMatchObject({
      outcome: 'completed',
      toolCalls: [{ name: 'current_time', status: 'succeeded' }],
    });
    const { id } = answer.data.turn;
    const page = `${running.temporal.ui}/namespaces/default/workflows/turn-${id}`;
    expect(await user.request(`/api/turns/${id}`)).toMatchObject({ turn: { temporalUrl: page } });
  });

  it('opens the console by the first link that is printed, without anything to type', async () => {
    const [link = ''] = /http\S+/.exec(start.output().split('Holdfast is running.')[1] ?? '') ?? [];
    const browser = await startChromium();
    stack.defer(() => browser.close());
    const { page } = await openWatched(browser);
    await page.goto(link);
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Message', { exact: true }).fill('What time is it?');
    await page.keyboard.press('Enter');
    await page.getByText('current_time answered').waitFor();
    expect(page.url()).not.toContain('key=');
  });

  it('sees the text stream and the call of a tool of an MCP server', async () => {
    conversationPath = await openConversation();
    let turnId = '';
    await followUntil(
      'turn.settled',
      async () => (turnId = await send('add 20 and 22, slowly for 2 seconds')),
    );
    // The text of the first iteration is so short that it may be stored before a piece of it is sent.
    expect(listTypes(turnId, 2)).toEqual([
      ...['turn.started', 'message.created', 'tool.started', 'tool.executed'],
      ...['text.delta', 'message.created', 'turn.settled'],
    ]);
    const executed = frames.find(({ event }) => event.type === 'tool.executed')?.event;
    expect(executed).toMatchObject({ payload: { name: 'get-sum' } });
    expect(JSON.stringify(executed)).toContain('42');
  });

  it('gets the answer and each event once, although the worker is killed during the turn', async () => {
    const turnId = await send('answer slowly for 2 seconds');
    await followUntil('text.delta');
    process.kill(running.pids.worker ?? 0, 'SIGKILL');
    await followUntil('turn.settled');

    expect(listTypes(turnId)).toEqual([
      'turn.started',
      ...['text.delta', 'stream.reset', 'text.delta'],
      ...['message.created', 'turn.settled'],
    ]);
    const text = findMessage(turnId, 1) ?? '';
    expect(text).toContain('word20');
    // The end of the text is not sent as a piece but with the message.
    expect(text.startsWith(joinText(turnId, 1))).toBe(true);
    const ids = frames.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const numbers = frames.flatMap(({ event }) => (isStored(event) ? [event.seq] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('stops every process with Ctrl-C', async () => {
    start.pressCtrlC();
    await start.ended;
    expect(start.output()).toContain('Everything is stopped.');
    expect(start.output()).not.toContain('was killed');
    await eventually(
      () => listProcessesOf(dataDir),
      (left) => left.length === 0,
    );
  });

  it('finds key and conversation again after a second start, and continues the conversation', async () => {
    const before = { key: readKey(), texts: [1, 2].map((iteration) => findMessage(firstTurn(), iteration)) };
    await startEverything();
    expect(readKey()).toBe(before.key);
    const { messages } = (await user.request(`${conversationPath}/messages`)) as {
      messages: { turnId: string; role: string; text: string }[];
    };
    const kept = messages.filter(({ turnId, role }) => turnId === firstTurn() && role === 'assistant');
    expect(kept.map(({ text }) => text).sort()).toEqual(before.texts.sort());
    const { turn } = (await user.request(`${conversationPath}/turns?wait=true`, {
      message: 'add 1 and 2',
    })) as {
      turn: { outcome: string; answer: string };
    };
    expect(turn).toMatchObject({ outcome: 'completed', answer: expect.stringContaining('3') as unknown });
  });
});

function firstTurn(): string {
  return frames[0]?.event.turnId ?? '';
}
