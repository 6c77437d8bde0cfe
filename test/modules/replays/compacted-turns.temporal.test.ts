import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import type { Agent } from '../../../src/domain/agent.ts';
import type { EventPayload } from '../../../src/domain/event.ts';
import type { Recording } from '../../../src/domain/recording.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { createForkScene, lookUp, plan } from '../../labs/fork-scene.ts';
import { createLabKey } from '../../labs/lab-api.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { recordConversation, replay, startReplayLab, type ReplayLab } from '../../labs/replay-scene.ts';
import type { Plan } from '../../servers/planned-model.ts';
import type { ChatRequestBody, ScriptEntry } from '../../servers/scripted-model.ts';

let scene: ReplayLab;
/** The turns of the conversation, and what the model was asked in them, without the requests for summaries. */
let turns: TurnDetails[];
let asked: string[];

function isSummary({ messages }: ChatRequestBody): boolean {
  return messages[0]?.content?.includes('memory of an agent') ?? false;
}

let summaries = 0;
function summarize(body: ChatRequestBody): ScriptEntry | undefined {
  if (!isSummary(body)) return undefined;
  summaries += 1;
  const told = body.messages[1]?.content?.match(/(?<=Agent: )\w+(?=\.)/g) ?? [];
  return { text: `They told ${told.join()}.` };
}

/** Fewer than are estimated for a model that has counted none. */
const countTokens = (body: ChatRequestBody) => Math.round(JSON.stringify(body).length / 6);

const long = (name: string, length = 400) => name.padEnd(length, '.');
const tell = (name: string): Plan => ({ rounds: [], answer: long(name) });
const looks = [lookUp(long('f', 200)), lookUp(long('g', 900)), lookUp(long('h', 100))];

/** The sixth turn is compacted before its first and its third model call. */
const plans = [
  plan([lookUp(long('a', 2_100))]),
  ...['b', 'c', 'd', 'e'].map(tell),
  {
    ...plan(...looks.map((look) => [look])),
    instructed: {
      'All at once.': plan(looks),
      'Briefly.': plan([lookUp('f')], [lookUp('g')], [lookUp('h')]),
    },
  },
  tell('i'),
];

beforeAll(async () => {
  scene = await startReplayLab({ intercept: summarize, countTokens });
  const tool = mcpTool('look_up', { effect: 'read_only' }, { type: 'object', properties: {} });
  const { agent } = await scene.api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{ name: 'Long talks', model: 'compatible/planned', instructions: 'Do as you are told.' },
    ...{ execution: 'direct', compaction: 'summarize', compactionThreshold: 1_000 },
    tools: [{ ...tool, description: 'Looks something up.' }],
  });
  turns = await recordConversation(scene, agent.id, plans);
  asked = listAsked();
}, 60_000);

afterAll(() => scene.close());

/** Lists the texts of the requests since one of them, without the ids of calls and without requests for summaries. */
function listAsked(from = 0): string[] {
  const requests = scene.model.requests.slice(from);
  return requests.filter((body) => !isSummary(body)).map(toText);
}

function toText({ messages }: ChatRequestBody): string {
  const parts = messages.map(({ role, content, tool_calls: calls = [] }) => [
    ...[role, content?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID') ?? ''],
    ...calls.map(({ function: { name, arguments: input } }) => [name, input]),
  ]);
  return JSON.stringify(parts);
}

const toSummary = (text: string) => /They told [^.]*/.exec(text)?.[0];

async function listCompacted(id: string): Promise<EventPayload<'context.compacted'>[]> {
  const events = scene.lab.database
    .system('events')
    .where({ conversation_id: id, type: 'context.compacted' });
  return events.orderBy('seq').pluck('payload');
}

const idOf = (index: number) => turns[index]?.id ?? '';
const conversationOf = () => turns[0]?.conversationId ?? '';

test('the recorded conversation is compacted before turns and inside of one', async () => {
  const compacted = await listCompacted(conversationOf());
  expect(compacted.map(({ kind, iteration, text }) => [kind, iteration, text])).toEqual([
    ['references', 1, null],
    ['summarize', 1, 'They told Done.'],
    ['summarize', 1, 'They told b,c,d.'],
    ['summarize', 3, 'They told e.'],
    ['summarize', 1, 'They told Done.'],
  ]);
  expect(asked.slice(6, 10).map(toSummary)).toEqual([
    ...['They told b,c,d', 'They told b,c,d', 'They told e', 'They told e'],
  ]);
});

test('a replay asks the model the same as each turn did, and makes no summary anew', async () => {
  const [from, made] = [scene.model.requests.length, summaries];
  const ended = await replay(scene, { selection: { conversationIds: [conversationOf()] } });

  expect(ended).toMatchObject({ status: 'completed', runs: { done: 14, failed: 0 } });
  expect(listAsked(from).toSorted()).toEqual([...asked, ...asked].toSorted());
  expect(summaries).toBe(made);
});

test.each([
  {
    how: 'takes a summary as soon as it needs it when it calls its tools at once',
    instructions: 'All at once.',
    seen: ['They told b,c,d', 'They told e'],
  },
  {
    how: 'takes it before the same model call when it has called other tools',
    instructions: 'Briefly.',
    seen: ['They told b,c,d', 'They told b,c,d', 'They told e', 'They told e'],
  },
])('a replay that has parted from the recorded turn $how', async ({ instructions, seen }) => {
  const from = scene.model.requests.length;
  const selection = { turnIds: [idOf(5)] };
  await replay(scene, { selection, baseline: false, candidate: { instructions } });

  expect(listAsked(from).map(toSummary)).toEqual(seen);
});

test.each([
  { what: 'its message', iteration: undefined },
  { what: 'its first step', iteration: 1 },
])('a fork of a turn with recorded results from $what on has its summaries', async ({ iteration }) => {
  const { fork, listMessages } = createForkScene(scene);
  const [from, made] = [scene.model.requests.length, summaries];
  const forked = await fork(conversationOf(), { turnId: idOf(5), iteration });

  expect(forked.turn).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  expect(listAsked(from)).toEqual(asked.slice(6 + (iteration ?? 0), 10));
  const path = `/api/conversations/${forked.conversation.id}/turns?wait=true`;
  await scene.api.ask('POST', path, { message: JSON.stringify(plans[6]) });
  expect(listAsked(from).at(-1)).toBe(asked[10]);
  // The turn after the recorded one is a live one.
  expect(summaries).toBe(made + 1);
  const toTexts = async (id: string) => (await listMessages(id)).map(({ role, text }) => [role, text]);
  expect(await toTexts(forked.conversation.id)).toEqual(await toTexts(conversationOf()));
  const toTold = async (id: string) =>
    (await listCompacted(id)).map(({ kind, iteration: at, text, references }) => [
      kind,
      at,
      text,
      references,
    ]);
  expect(await toTold(forked.conversation.id)).toEqual(await toTold(conversationOf()));
});

/** A client of a new workspace. */
async function openWorkspace() {
  const { database } = scene.lab;
  const workspaceId = newId();
  await database.system('workspaces').insert({ id: workspaceId, name: 'other' });
  const apiKey = await createLabKey({ database, workspaceId });
  return createHoldfastClient({ baseUrl: scene.api.url, apiKey });
}

type Client = Awaited<ReturnType<typeof openWorkspace>>;

async function exportAll(client: Client, conversationId: string): Promise<Recording[]> {
  const lines: Recording[] = [];
  for await (const line of client.recordings.export({ conversationId: [conversationId] }))
    lines.push(JSON.parse(line) as Recording);
  return lines;
}

/** The compactions of lines, with names of this test for the ids of turns and summaries. */
function toCompactions(lines: Recording[]) {
  const names = new Map<string | null, string>(lines.map(({ turn }) => [turn.id, `turn ${turn.ordinal}`]));
  return lines.map(({ compactions }) =>
    compactions.map((compaction) => {
      const { summaryId, fromTurnId, throughTurnId } = compaction;
      if (!names.has(summaryId)) names.set(summaryId, `summary ${names.size}`);
      const [from, through, summary] = [fromTurnId, throughTurnId, summaryId].map((id) => names.get(id));
      return { ...compaction, fromTurnId: from, throughTurnId: through, summaryId: summary };
    }),
  );
}

test('a recording that is imported into another workspace has the summaries, and its replay asks the same', async () => {
  const own = createHoldfastClient({ baseUrl: scene.api.url, apiKey: scene.api.key });
  const lines = await exportAll(own, conversationOf());
  expect(
    toCompactions(lines).map((made) =>
      made.map(({ fromTurnId, throughTurnId, summary }) => [fromTurnId, throughTurnId, summary?.text]),
    ),
  ).toEqual([
    [],
    [['turn 1', 'turn 1', undefined]],
    [['turn 1', 'turn 1', 'They told Done.']],
    ...[[], []],
    [
      ['turn 2', 'turn 4', 'They told b,c,d.'],
      ['turn 5', 'turn 5', 'They told e.'],
    ],
    [['turn 6', 'turn 6', 'They told Done.']],
  ]);
  const client = await openWorkspace();
  const report = await client.recordings.import(lines.map((line) => JSON.stringify(line)));
  expect(report).toMatchObject({ imported: 7, refused: 0, errors: [] });
  const { items } = await client.conversations.list();
  const conversationId = items[0]?.id ?? '';

  const [from, made] = [scene.model.requests.length, summaries];
  const started = await client.replays.create({ selection: { conversationIds: [conversationId] } });
  const ended = await eventually(
    () => client.replays.get(started.id),
    ({ settledAt }) => settledAt !== null,
  );
  expect(ended).toMatchObject({ status: 'completed', runs: { done: 14, failed: 0 } });
  expect(listAsked(from).toSorted()).toEqual([...asked, ...asked].toSorted());
  expect(summaries).toBe(made);

  expect(toCompactions(await exportAll(client, conversationId))).toEqual(toCompactions(lines));
  const withoutIds = (payloads: EventPayload<'context.compacted'>[]) =>
    payloads.map(({ messageId, fromTurnId, throughTurnId, ...payload }) => ({
      ...payload,
      named: [messageId, fromTurnId, throughTurnId].map((id) => id !== null),
    }));
  expect(withoutIds(await listCompacted(conversationId))).toEqual(
    withoutIds(await listCompacted(conversationOf())),
  );
  const messages = await client.conversations.messages(conversationId, { limit: 100 });
  expect(messages.items.filter(({ role }) => role === 'summary')).toHaveLength(4);
});
