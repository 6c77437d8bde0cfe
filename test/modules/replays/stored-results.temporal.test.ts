import { expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import type { ReplayedTurn } from '../../../src/domain/replay.ts';
import type { Recording } from '../../../src/domain/recording.ts';
import type { TurnDetails } from '../../../src/domain/turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { forkConversation } from '../../../src/modules/turns/forks/fork-conversation.ts';
import { coreTool } from '../../labs/core-tool.ts';
import { createLabKey, startLabApi } from '../../labs/lab-api.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { readRuns, replay } from '../../labs/replay-scene.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import type { LabScene, LabSceneOptions } from '../../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult } from '../../servers/mcp-servers.ts';
import type { ChatRequestBody, ScriptedToolCall } from '../../servers/scripted-model.ts';

/** A list of 50,000 characters, which is cut for the model that has asked for it. */
const list = Array.from({ length: 2_500 }, (_, index) => `position ${String(index).padStart(11, '0')}`).join(
  '',
);

const lab = openForTests(async () => {
  const server = await startScriptedServer({ look_up: () => textResult(list) });
  const opened = await startTurnLab({ mcpServers: { lab: { type: 'http', url: server.url } } });
  const api = await startLabApi(opened);
  const close = async () => {
    await api.stop();
    await opened.close();
    await server.close();
  };
  return { ...opened, api, close };
});

/** There is room for the list as the model gets it, and for little besides. */
const options: LabSceneOptions = {
  execution: 'direct',
  tools: [mcpTool('look_up', { effect: 'read_only' }), coreTool('read_tool_result')],
  compactionThreshold: 10_000,
};

/** A server that reports no usage teaches nothing about the tokens of a byte. */
const usage = null;

const lookUp: ScriptedToolCall = { name: 'look_up', arguments: {} };
/** The arguments stand in the order in which Postgres keeps them. */
const read = (asked: { callId: string; offset?: number; limit?: number }): ScriptedToolCall => {
  const { callId, ...page } = asked;
  return { name: 'read_tool_result', arguments: { ...page, callId } };
};

/** Scripts a turn of some rounds of calls. */
function script(scene: LabScene, rounds: ScriptedToolCall[][]): void {
  scene.reply(...rounds.map((toolCalls) => ({ toolCalls, usage })), { text: 'Done.', usage });
}

/** Plays a turn of some rounds of calls. */
async function play(scene: LabScene, ...rounds: ScriptedToolCall[][]): Promise<TurnDetails> {
  script(scene, rounds);
  const turn = await lab.waitForOutcome(await scene.say('Now this'.padEnd(8_000, '.')));
  expect(turn.outcome).toBe('completed');
  return turn;
}

/** Plays a turn that looks the list up, and returns it with the id of the call. */
async function playLookUp(scene: LabScene) {
  const turn = await play(scene, [lookUp]);
  return { turn, callId: turn.toolCalls[0]?.id ?? '' };
}

async function replayOne(turnId: string, more: object = {}) {
  const ended = await replay(lab, { selection: { turnIds: [turnId] }, baseline: false, ...more });
  const ran = (await readRuns({ lab }, ended.id)).find(({ lane }) => lane === 'candidate');
  return { run: ran?.run?.turns[0], scores: ran?.comparison?.scores };
}

function listResults(run: ReplayedTurn | undefined) {
  return run?.steps.flatMap(({ calls }) => calls).map(({ answeredBy, result }) => [answeredBy, result]);
}

async function fork(turnId: string, parentId: string, tools: 'recorded' | 'live') {
  const request = { parentId, input: { turnId, tools, run: true } };
  const { turn } = await forkConversation({ ...lab.turns, notifier: lab.notifier }, lab, request);
  return lab.waitForOutcome(turn?.id ?? '');
}

const pageAt = (offset: number) => list.slice(offset, offset + 100);
const containing = (text: string): unknown => expect.stringContaining(text);

/** The results of tools that a request has, and the ids of calls that they name. */
const listTold = ({ messages }: ChatRequestBody) =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
const listNamed = (body: ChatRequestBody) =>
  listTold(body).flatMap(
    (text) => /stored with tool call (?<id>[0-9a-f-]+)/.exec(text)?.groups?.['id'] ?? [],
  );

test('a replay whose model reads an old result that no recorded call has read gets it', async () => {
  const scene = await lab.scene(options);
  const { callId } = await playLookUp(scene);
  const { id } = await play(scene);
  script(scene, [[read({ callId, offset: 40_000, limit: 100 })]]);
  const { run } = await replayOne(id);

  expect(listNamed(scene.requests()[3]?.body as ChatRequestBody)).toEqual([callId]);
  expect(run).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  expect(listResults(run)).toEqual([['stored', containing(pageAt(40_000))]]);
});

test('a replay whose model reads another page gets that page, and not the recorded one', async () => {
  const scene = await lab.scene(options);
  const { callId } = await playLookUp(scene);
  const recorded = read({ callId, offset: 20_000, limit: 100 });
  const { id, toolCalls } = await play(scene, [recorded]);
  const other = read({ callId, offset: 45_000, limit: 100 });
  const unknown = read({ callId: newId() });
  script(scene, [[other, unknown, recorded]]);
  const { run, scores } = await replayOne(id);

  expect(listResults(run)).toEqual([
    ['stored', containing(pageAt(45_000))],
    ['stored', containing('NOT_FOUND: This conversation has no tool call')],
    ['exact', containing(pageAt(20_000))],
  ]);
  expect(run?.steps[0]?.calls[2]).toMatchObject({ recordedCallId: toolCalls[0]?.id });
  expect(run?.unasked).toEqual([]);
  // One of the three calls is the recorded one; the answers before it were right.
  expect(scores).toMatchObject({ trajectory: 0.5 });
});

test('a replay reads the rest of a result that a tool has given it now', async () => {
  const scene = await lab.scene(options);
  const { id } = await play(scene);
  scene.reply({ toolCalls: [lookUp], usage });
  lab.model.reply((body) => ({
    toolCalls: [read({ callId: listNamed(body)[0] ?? '', offset: 49_900, limit: 100 })],
    usage,
  }));
  scene.reply({ text: 'Done.', usage });
  const { run } = await replayOne(id, { toolAnswers: { look_up: 'live' } });

  const [seen] = listTold(scene.requests()[2]?.body as ChatRequestBody);
  expect(seen).toContain(
    `${list.slice(0, 32_768)}\n[The result is cut here: 32768 characters of 50000 bytes`,
  );
  expect(listResults(run)?.[1]).toEqual(['stored', containing(pageAt(49_900))]);
});

test('a recorded fork reads pages that its parent has not read, of results of its own turn too', async () => {
  const scene = await lab.scene(options);
  const first = await playLookUp(scene);
  const rest = read({ callId: first.callId, offset: 49_900, limit: 100 });
  script(scene, [[lookUp], [rest]]);
  const forked = await fork(first.turn.id, scene.conversationId, 'recorded');

  expect(forked).toMatchObject({ outcome: 'completed', answer: 'Done.' });
  expect(forked.toolCalls).toMatchObject([
    { answeredBy: 'exact', result: list },
    { answeredBy: 'stored', status: 'succeeded', result: containing(pageAt(49_900)) },
  ]);
  // A fork of the fork names the result by the same id.
  script(scene, [[lookUp], [rest]]);
  const again = await fork(forked.id, forked.conversationId, 'recorded');
  expect(again.toolCalls).toMatchObject([{ answeredBy: 'exact' }, { answeredBy: 'exact' }]);
  const [seen, seenAgain] = [3, 6].map((at) => listNamed(scene.requests()[at]?.body as ChatRequestBody));
  expect([seen, seenAgain]).toEqual([[first.callId], [first.callId]]);
});

test('the model of a live fork reads what its references name', async () => {
  const scene = await lab.scene(options);
  const { callId } = await playLookUp(scene);
  const { id } = await play(scene);
  script(scene, [[read({ callId, offset: 40_000, limit: 100 })]]);
  const forked = await fork(id, scene.conversationId, 'live');

  expect(listNamed(scene.requests()[3]?.body as ChatRequestBody)).toEqual([callId]);
  expect(forked.toolCalls).toMatchObject([
    { answeredBy: null, status: 'succeeded', result: containing(pageAt(40_000)) },
  ]);
});

/** Imports a conversation into a new workspace, and returns a client of that and the turns there. */
async function importElsewhere(conversationId: string) {
  const own = createHoldfastClient({ baseUrl: lab.api.url, apiKey: lab.api.key });
  const lines: string[] = [];
  for await (const line of own.recordings.export({ conversationId: [conversationId] })) lines.push(line);
  const workspaceId = newId();
  await lab.database.system('workspaces').insert({ id: workspaceId, name: 'Other' });
  const apiKey = await createLabKey({ database: lab.database, workspaceId });
  const client = createHoldfastClient({ baseUrl: lab.api.url, apiKey });
  expect(await client.recordings.import(lines)).toMatchObject({ imported: lines.length, errors: [] });
  const { items } = await client.conversations.list();
  const imported = items[0]?.id ?? '';
  const turns: Recording[] = [];
  for await (const line of client.recordings.export({ conversationId: [imported] }))
    turns.push(JSON.parse(line) as Recording);
  return { client, workspaceId, conversationId: imported, turnIds: turns.map(({ turn }) => turn.id) };
}

type Imported = Awaited<ReturnType<typeof importElsewhere>>;

/** Replays a turn of an imported conversation, and returns where its calls got their answers from. */
async function replayImported({ client, workspaceId, turnIds }: Imported, at: number) {
  const selection = { turnIds: [turnIds[at] ?? ''] };
  const started = await client.replays.create({ selection, baseline: false });
  await eventually(
    () => client.replays.get(started.id),
    ({ settledAt }) => settledAt !== null,
  );
  const runs = await readRuns({ lab: { ...lab, workspaceId } }, started.id);
  return listResults(runs.find(({ lane }) => lane === 'candidate')?.run?.turns[0]);
}

test('an imported conversation names results by the same ids, and its model reads them', async () => {
  const scene = await lab.scene(options);
  const { callId } = await playLookUp(scene);
  const asked = read({ callId, limit: 100 });
  await play(scene, [asked]);
  const recorded = scene.requests().map(({ body }) => body.messages);
  const imported = await importElsewhere(scene.conversationId);

  script(scene, [[asked]]);
  expect(await replayImported(imported, 1)).toEqual([['exact', containing(pageAt(0))]]);
  expect(
    scene
      .requests()
      .slice(4)
      .map(({ body }) => body.messages),
  ).toEqual(recorded.slice(2));
  script(scene, [[read({ callId, offset: 10_000, limit: 100 })]]);
  expect(await replayImported(imported, 1)).toEqual([['stored', containing(pageAt(10_000))]]);

  // The next turn is a live one.
  script(scene, [[read({ callId, offset: 30_000, limit: 100 })]]);
  const { client, conversationId } = imported;
  const { id } = await client.turns.start({ conversationId, message: 'Go on.' });
  const settled = await client.turns.wait(id);
  expect(settled.toolCalls[0]?.result).toBe(
    `{"tool":"look_up","characters":32768,"isCut":true,"offset":30000,"nextOffset":30100}\n${pageAt(30_000)}`,
  );
});

test('a fork that is exported and imported names results by the ids of its parent', async () => {
  const scene = await lab.scene(options);
  const { callId } = await playLookUp(scene);
  const asked = read({ callId, limit: 100 });
  const { id } = await play(scene, [asked]);
  script(scene, [[asked]]);
  const forked = await fork(id, scene.conversationId, 'recorded');
  const imported = await importElsewhere(forked.conversationId);

  script(scene, [[asked]]);
  expect(await replayImported(imported, 1)).toEqual([['exact', containing(pageAt(0))]]);
  expect(listNamed(scene.requests().at(-2)?.body as ChatRequestBody)).toEqual([callId]);
});
