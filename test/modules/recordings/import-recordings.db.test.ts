import http from 'node:http';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import type { Recording } from '../../../src/domain/recording.ts';
import { importRecordings } from '../../../src/modules/recordings/import-recordings.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createTurnContextRepository } from '../../../src/modules/turns/context/turn-context-repository.ts';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { runAsOwner } from '../../labs/database-login.ts';
import { eventually } from '../../labs/eventually.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';
import { createLine, createStep } from '../../labs/recording-lines.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';
import { createShop, exportLines, holdConversation } from '../../labs/recording-scene.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

function importText(workspaceId: string, text: string) {
  const actor = {
    workspaceId,
    apiKeyId: workspaceId,
    scopes: [...scopes],
    groups: [],
    ...{ actsFor: null, reach: 'workspace' as const, via: 'api' as const },
  };
  return importRecordings({ database: api.database }, actor, {
    lines: Readable.from([Buffer.from(text)]),
  });
}

/** The parts of a line that an import does not change. */
function toContent({ conversation, turn, steps, ...line }: Recording) {
  return {
    title: conversation.title,
    tags: conversation.tags,
    instructions: line.agent.instructions,
    rules: line.agent.rules,
    tools: line.tools.map(({ name, schema, effect }) => ({ name, schema, effect })),
    turn: { ...turn, id: '' },
    message: line.message.text,
    steps: steps.map((step) => ({
      ...step,
      createdAt: '',
      toolCalls: step.toolCalls.map((call) => ({ ...call, id: '', shownId: call.shownId ?? call.id })),
    })),
  };
}

test('an export that is imported into another workspace is exported from there with the same content', async () => {
  const agentId = await createShop(api);
  const turns = [{ message: 'What is 6 * 7?' }, { message: 'And 2 * 3?', result: '6' }];
  await holdConversation(api, { agentId, turns, tags: ['vip'], title: 'Sums' });
  const lines = await exportLines(api);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const other = await api.createWorkspace();
  expect(await importText(other.workspaceId, text)).toMatchObject({
    imported: 2,
    skipped: 0,
    refused: 0,
    errors: [],
  });
  expect(await importText(other.workspaceId, text)).toMatchObject({ imported: 0, skipped: 2, refused: 0 });
  const again = await exportLines(api, '', other.key);
  expect(again.map(toContent)).toEqual(lines.map(toContent));
});

test('lines that cannot be read are refused by their numbers', async () => {
  const { workspaceId } = await api.createWorkspace();
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const report = await importText(
    workspaceId,
    ['{', '', '{"schemaVersion":2}', deep, '"\\u0000"'].join('\n'),
  );
  expect(report).toMatchObject({ imported: 0, refused: 4 });
  expect(report.errors.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
});

/** A client of a new workspace. */
async function createClient() {
  const { workspaceId, key } = await api.createWorkspace();
  return { workspaceId, key, client: createHoldfastClient({ baseUrl: api.url, apiKey: key }) };
}

test('the client sends long imports in pieces, and counts the lines of all of them', async () => {
  const { client } = await createClient();
  const lines = Array.from({ length: 450 }, (_, index) => createLine('long', index + 1));
  lines[10] = '';
  lines[300] = '{}';
  const progress: number[] = [];
  const report = await client.recordings.import(lines, {
    onProgress: ({ imported }) => progress.push(imported),
  });
  expect(report).toMatchObject({ imported: 448, skipped: 0, refused: 1, agents: [{ name: /Shop/ }] });
  expect(report.errors).toMatchObject([{ line: 301 }]);
  expect(progress).toEqual([199, 398, 448]);
  expect(await client.recordings.import(lines)).toMatchObject({ imported: 0, skipped: 448, refused: 1 });
});

const fileOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => createLine(name, index + 1));

const listTurns = async (workspaceId: string) =>
  api.database.system('turns').where({ workspace_id: workspaceId }).orderBy('ordinal').pluck('ordinal');

test('an import whose connection breaks in a line has whole turns only, and can be made again', async () => {
  const { client, key, workspaceId } = await createClient();
  const lines = fileOf('cut', 6);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const request = http.request(`${api.url}/api/recordings`, { method: 'POST', headers });
  request.on('error', () => undefined);
  request.write(`${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 100)}`);
  await eventually(
    () => listTurns(workspaceId),
    ({ length }) => length === 3,
  );
  request.destroy();

  expect(await client.recordings.import(lines)).toMatchObject({
    lines: 6,
    imported: 3,
    skipped: 3,
    refused: 0,
  });
  expect(await listTurns(workspaceId)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await exportLines(api, '', key)).toHaveLength(6);
});

test('an import whose body ends in a line refuses that line only', async () => {
  const { workspaceId } = await createClient();
  const lines = fileOf('ends', 2);
  const text = lines.join('\n');
  expect(await importText(workspaceId, text.slice(0, -10))).toMatchObject({
    lines: 2,
    imported: 1,
    refused: 1,
  });
  expect(await importText(workspaceId, text)).toMatchObject({
    lines: 2,
    imported: 1,
    skipped: 1,
    refused: 0,
  });
});

test('an import during which the database goes away says how far it came, and can be made again', async () => {
  const { client, key, workspaceId } = await createClient();
  const lines = fileOf('away', 5);
  await runAsOwner(
    api.databaseUrl,
    `CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END $$;
     CREATE TRIGGER go_away BEFORE INSERT ON events FOR EACH ROW
     WHEN (NEW.workspace_id = '${workspaceId}' AND NEW.seq > 6) EXECUTE FUNCTION go_away()`,
  );
  const body = lines.join('\n');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const response = await fetch(`${api.url}/api/recordings`, { method: 'POST', headers, body });
  const { error } = (await response.json()) as { error: { details: { lines: number; imported: number } } };
  const stored = await listTurns(workspaceId);
  await runAsOwner(api.databaseUrl, 'DROP TRIGGER go_away ON events; DROP FUNCTION go_away');

  expect(response.status).toBe(503);
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(5);
  expect(error.details).toMatchObject({ lines: stored.length, imported: stored.length });
  expect(await client.recordings.import(lines)).toMatchObject({
    ...{ lines: 5, imported: 5 - stored.length, skipped: stored.length },
  });
  expect(await listTurns(workspaceId)).toEqual([1, 2, 3, 4, 5]);
});

test('an import whose time is over says how far it came', async () => {
  const { workspaceId } = await createClient();
  const actor = {
    workspaceId,
    apiKeyId: workspaceId,
    scopes: [...scopes],
    groups: [],
    ...{ actsFor: null, reach: 'workspace' as const, via: 'api' as const },
  };
  const lines = Readable.from([Buffer.from(fileOf('late', 5).join('\n'))]);
  let asked = 0;
  const isOver = () => (asked += 1) > 2;
  const report = await importRecordings({ database: api.database }, actor, { lines, isOver });

  expect(report).toMatchObject({ lines: 3, timedOut: true, imported: 3 });
  expect(await listTurns(workspaceId)).toEqual([1, 2, 3]);
});

test('the client sends the lines again that a request had no time for', async () => {
  const route = 'POST /api/recordings';
  const report = { imported: 0, skipped: 0, refused: 0, errors: [], agents: [] };
  const scripted = await startScriptedApi({
    [route]: [
      answerWith({ ...report, lines: 2, timedOut: true, imported: 2 }),
      answerWith({ ...report, lines: 1, timedOut: false, refused: 1, errors: [{ line: 1, message: 'No.' }] }),
    ],
  });
  const sum = await createHoldfastClient(scripted).recordings.import(['a', 'b', 'c']);

  expect(sum).toMatchObject({
    lines: 3,
    timedOut: false,
    imported: 2,
    errors: [{ line: 3, message: 'No.' }],
  });
  expect(scripted.to(route)).toHaveLength(2);
});

test('a turn after imported ones has them as its context', async () => {
  const agentId = await createShop(api);
  const call = { index: 0, modelCallId: 'call_0', name: 'calculate', arguments: { expression: '6 * 7' } };
  const steps = [
    createStep({
      text: 'Let me see.',
      finishReason: 'tool_calls',
      toolCalls: [{ ...call, status: 'succeeded', result: '42' }],
    }),
    createStep({ iteration: 2, text: 'It is 42.' }),
  ];
  const client = createHoldfastClient({ baseUrl: api.url, apiKey: api.key });
  const lines = [createLine('context', 1, { steps }), createLine('context', 2, { steps })];
  expect(await client.recordings.import(lines, { agentId })).toMatchObject({
    imported: 2,
    agents: [{ id: agentId, name: 'Shop' }],
  });
  const [line] = (await exportLines(api, `?agentId=${agentId}`)).slice(-1);
  const conversationId = line?.conversation.id ?? '';
  const { data } = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    body: { message: 'And now?' },
  });
  const context = await api.database.pipelined(api.workspaceId, (query) =>
    createTurnContextRepository(query).listContext(data.turn.id, { iteration: 1 }),
  );
  const turn = (ordinal: number) => [
    ['user', `Message ${ordinal}`],
    ['assistant', 'Let me see.'],
    ['assistant', 'It is 42.'],
  ];
  expect(context.map(({ role, text }) => [role, text])).toEqual([
    ...turn(1),
    ...turn(2),
    ['user', 'And now?'],
  ]);
  const later = await client.recordings.import([createLine('context', 3)], { agentId });
  expect(later.errors).toMatchObject([{ message: 'a turn runs or waits in the conversation' }]);
});

test('a turn of another agent is linked to the call that started it, whichever is imported first', async () => {
  const call = {
    id: 'call_0',
    index: 0,
    modelCallId: 'call_0',
    name: 'ask',
    status: 'succeeded',
    result: 'x',
  };
  for (const childFirst of [true, false]) {
    const { client, key } = await createClient();
    const steps = [createStep({ toolCalls: [{ ...call, childTurnId: 'child-1' }] })];
    const parent = createLine('parent', 1, { steps });
    const child = createLine('child', 1, { turn: { parent: { turnId: 'parent-1', toolCallId: 'call_0' } } });
    await client.recordings.import(childFirst ? [child, parent] : [parent, child]);
    const lines = await exportLines(api, '', key);
    const started = lines.find(({ turn }) => turn.parent !== null);
    const starter = lines.find(({ turn }) => turn.parent === null);
    const [toolCall] = starter?.steps[0]?.toolCalls ?? [];
    expect(toolCall?.childTurnId).toBe(started?.turn.id);
    expect(started?.turn.parent).toEqual({ turnId: starter?.turn.id, toolCallId: toolCall?.id });
  }
});

test('turns whose calls have the ids of other turns are stored, and values that do not fit are refused', async () => {
  const { client } = await createClient();
  const call = {
    id: 'call_0',
    index: 0,
    modelCallId: 'call_0',
    name: 'ask',
    status: 'succeeded',
    result: 'x',
  };
  const steps = [createStep({ toolCalls: [call] })];
  const { imported, errors } = await client.recordings.import([
    createLine('first', 1, { steps }),
    createLine('second', 1, { steps }),
    createLine('third', 1, { turn: { createdAt: '0000-01-01T00:00:00Z' } }),
    createLine('third', 1, { steps: [createStep({ iteration: 2 ** 40 })] }),
    createLine('third', 1, { steps: [createStep({ toolCalls: [call, { ...call, index: 1 }] })] }),
    createLine('third', 1, { turn: { ordinal: 2, id: 'other' } }),
    createLine('third', 1),
  ]);
  expect(imported).toBe(3);
  expect(errors.map(({ line }) => line)).toEqual([3, 4, 5, 7]);
});

test('an import needs the scopes to write, lines of JSON, and an agent that is there', async () => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const body = createLine('scopes', 1);
  const send = (options: object, path = '/api/recordings') =>
    api.call('POST', path, { headers, body, ...options });
  for (const scopes of [['conversations:read'], ['conversations:write']] as const) {
    const key = await api.createKey(api.workspaceId, [...scopes]);
    await expectRefusal(api, () => send({ key }), { status: 403, code: 'FORBIDDEN' });
  }
  const unsupported = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
  await expectRefusal(api, () => send({ headers: { 'content-type': 'application/json' } }), unsupported);
  const unknown = '/api/recordings?agentId=01999999-0000-7000-8000-000000000000';
  await expectRefusal(api, () => send({}, unknown), { status: 404, code: 'NOT_FOUND' });
  await expectRefusal(api, () => send({}, '/api/recordings?agentId=1'), { details: [{ field: 'agentId' }] });
});

test('an import is in the audit log', async () => {
  const { client, key } = await createClient();
  await client.recordings.import([createLine('audited', 1), createLine('audited', 2)]);
  const { items } = await createHoldfastClient({ baseUrl: api.url, apiKey: key }).auditEvents.list();
  expect(items.map(({ type }) => type).sort()).toEqual(['agent.configured', 'conversation.imported']);
});
